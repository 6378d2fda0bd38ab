import { z } from "zod";
import { readAllowList } from "../../../protocol/client/address-guard.ts";
import { type Exchanged, exchange } from "../../../protocol/client/exchange.ts";
import { createOutbound, type OutboundMore } from "../../../protocol/client/outbound.ts";
import type { Clock, Log } from "../../../protocol/seam/ports.ts";
import type { SellerSettings } from "../../../skills/seller/settings.ts";
import type { LanguageModel } from "../../../skills/talk/model/language-model.ts";

export interface LanguageModelParts {
  readonly settings: Pick<SellerSettings, "languageModel" | "outboundAllow">;
  readonly clock: Clock;
  readonly log: Log;
  readonly outbound?: OutboundMore;
}

const mostBytes = 65_536;
/** Eight calls with their evidence. */
const mostTokens = 2000;
/** Further messages are read without it, so that a slow model holds up a few callers only. */
const mostAtOnce = 4;
/** After a failure, so that not every message waits for a model that is down. */
const restMs = 15_000;

const completion = z.looseObject({
  choices: z.array(z.looseObject({ message: z.looseObject({ content: z.string() }) })).min(1),
});

const contentOf = (answer: Exchanged): string | null => {
  const read = answer.ok ? completion.safeParse(answer.json) : null;
  return read?.success === true ? (read.data.choices[0]?.message.content ?? null) : null;
};

/** Any endpoint of the OpenAI chat-completions form. Null without LLM_BASE_URL. */
export const createLanguageModel = ({ settings, clock, log, outbound }: LanguageModelParts): LanguageModel | null => {
  const { languageModel } = settings;
  if (languageModel === null) return null;
  const { baseUrl, model, apiKey, timeoutMs } = languageModel;
  const allow = readAllowList(settings.outboundAllow.join(","));
  const { fetch } = createOutbound({ allow, timeoutMs, peerOf: () => "model", ...outbound });
  const parts = { fetch, sellerUrl: new URL(baseUrl).origin, timeoutMs, mostBytes };
  const url = `${baseUrl.replace(/\/+$/, "")}/chat/completions`;
  const headers = {
    accept: "application/json",
    "accept-encoding": "identity",
    "content-type": "application/json",
    "user-agent": "parley",
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  let asking = 0;
  let restsUntilMs = 0;
  return {
    ask: async ({ system, user }) => {
      if (asking >= mostAtOnce || clock.nowMs() < restsUntilMs) return null;
      const messages = [
        { role: "system", content: system },
        { role: "user", content: user },
      ];
      const body = JSON.stringify({ model, temperature: 0, max_tokens: mostTokens, messages });
      asking += 1;
      const answer = await exchange(parts, { method: "POST", url, headers, body });
      asking -= 1;
      const content = contentOf(answer);
      if (content !== null) return content;
      restsUntilMs = clock.nowMs() + restMs;
      const reason = answer.ok ? "no_completion" : answer.code;
      log.warn({ reason }, "the language model did not answer; messages are read without it for a while");
      return null;
    },
    discard: (reason) => log.warn({ reason }, "an answer of the language model is not used"),
  };
};
