import { z } from "zod";
import { readAllowList } from "../../protocol/client/address-guard.ts";
import { type Exchanged, exchange } from "../../protocol/client/exchange.ts";
import { createOutbound, type OutboundMore } from "../../protocol/client/outbound.ts";
import type { Clock, Log } from "../../protocol/seam/ports.ts";
import {
  httpAddressDefect,
  numberSetting,
  optionalText,
  type ReadSettings,
  StartFailure,
  tokenDefect,
} from "../../protocol/neutral/settings.ts";
import type { LanguageModelSettings } from "../../protocol/neutral/language-model-settings.ts";
import type { LanguageModel } from "../../skills/talk/model/language-model.ts";

/** The same for both agents. */
export const languageModelSettings = {
  llmBaseUrl: optionalText(
    {
      variable: "LLM_BASE_URL",
      meaning:
        "Chat-completions endpoint of the OpenAI form, for example http://127.0.0.1:11434/v1. It is asked " +
        "first what a message means; what it reads is checked, and it never writes (docs/talk-with-a-model.md). " +
        "Nothing is asked without it.",
    },
    httpAddressDefect,
  ),
  llmModel: optionalText({ variable: "LLM_MODEL", meaning: "Name of the model behind LLM_BASE_URL." }),
  llmApiKey: optionalText(
    { variable: "LLM_API_KEY", meaning: "Bearer token for LLM_BASE_URL.", secret: true },
    tokenDefect,
  ),
  llmTimeoutMs: numberSetting(
    {
      variable: "LLM_TIMEOUT_MS",
      meaning: "How long a message waits for the model; then the grammar's answer counts.",
    },
    3000,
    { min: 50, max: 30_000, whole: true },
  ),
} as const;

export const languageModelOf = (config: ReadSettings<typeof languageModelSettings>): LanguageModelSettings | null => {
  const { llmBaseUrl: baseUrl, llmModel: model, llmApiKey: apiKey, llmTimeoutMs: timeoutMs } = config;
  if (baseUrl === null) return null;
  if (model === null) throw new StartFailure("LLM_MODEL: LLM_BASE_URL needs the name of a model.");
  return { baseUrl, model, apiKey, timeoutMs };
};

export interface LanguageModelParts {
  readonly settings: {
    readonly languageModel: LanguageModelSettings | null;
    readonly outboundAllow: readonly string[];
  };
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
