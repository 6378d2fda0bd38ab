import { expect, test } from "vitest";
import { newUuid } from "../../protocol/uuid.ts";

const made = Array.from({ length: 20_000 }, newUuid);

test("every id is a version 4 UUID in lower case, and none comes twice", () => {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(made.filter((id) => !form.test(id))).toStrictEqual([]);
  expect(new Set(made).size).toBe(made.length);
});

test("every digit takes all the values that its place allows", () => {
  const values = Array.from({ length: 36 }, (_, place) => new Set(made.map((id) => id[place])).size);
  const expected = Array.from({ length: 36 }, (_, place) => {
    if ([8, 13, 14, 18, 23].includes(place)) return 1;
    return place === 19 ? 4 : 16;
  });
  expect(values).toStrictEqual(expected);
});
