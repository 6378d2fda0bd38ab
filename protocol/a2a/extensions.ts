import { Extensions } from "@a2a-js/sdk";
import type { DoorRequest, DoorResponse } from "../door/door.ts";

/** What A2A itself does not say of a data part. It works without being asked for. */
export const operationsExtension = {
  uri: "urn:parley:a2a:operations:1",
  description:
    "A data part {operation, input} calls one operation of the OpenAPI document in place of a text that is read. " +
    "The extended card lists the operations that you may call.",
  required: false,
} as const;

/** A2A 1.0, then 0.3. */
const headerNames = ["a2a-extensions", "x-a2a-extensions"] as const;

/** A client that asked for the extension is told that it is on. */
export const withExtensions = ({ headers }: DoorRequest, response: DoorResponse): DoorResponse => {
  const { uri } = operationsExtension;
  const name = headerNames.find((header) => Extensions.parseServiceParameter(headers[header]).includes(uri));
  return name === undefined ? response : { ...response, headers: { ...response.headers, [name]: uri } };
};
