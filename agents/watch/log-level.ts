import { z } from "zod";
import type { DoorAnswer, DoorRoute } from "../../protocol/door/door.ts";
import { defaultBodyLimits, parseJson } from "../../protocol/neutral/json-input.ts";
import { Refused } from "../../protocol/neutral/refusals.ts";
import { schemaRefusal } from "../../protocol/neutral/validation.ts";
import { answerOf } from "../console/answer.ts";
import { logLevels, type LogLevels } from "../log.ts";
import { operatorOf } from "./route.ts";

const levelInput = z.object({ level: z.enum(logLevels) });

const levelPath = "/log-level";

/** `GET` and `POST /log-level`, for operators: the least level that this process writes. */
export const logLevelRoutes = (levels: LogLevels): readonly DoorRoute[] => {
  const answer = (): DoorAnswer => answerOf(200, { level: levels.now(), configured: levels.configured });
  return [
    {
      method: "GET",
      path: levelPath,
      handle: async (request) => {
        await operatorOf(request, "read");
        return answer();
      },
    },
    {
      method: "POST",
      path: levelPath,
      handle: async (request) => {
        const principal = await operatorOf(request, "write");
        const asked = levelInput.safeParse(parseJson(await request.readBody(), defaultBodyLimits));
        if (!asked.success) throw new Refused(schemaRefusal(asked.error));
        levels.set(asked.data.level, principal);
        return answer();
      },
    },
  ];
};
