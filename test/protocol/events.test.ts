import { expect, it } from "vitest";
import { eventChange, type EventRow, eventsTerm } from "../../protocol/seam/events.ts";
import { eventView } from "../../skills/seller/events/view.ts";

const draft = { event_type: "deal.created", flow_id: 'qt-"1"', owner: "agency:a" };

it("events: the terms of an event are those that its filters ask for, as older rows carry them", () => {
  const { terms } = eventChange({ ...draft, session_id: "s-1" }, 0, "anonymous");
  expect([...terms].sort()).toEqual(
    [
      "owner=agency:a",
      "type=deal.created",
      'flow=qt-"1"',
      "session=s-1",
      'type+flow=["deal.created","qt-\\"1\\""]',
      'type+session=["deal.created","s-1"]',
      'flow+session=["qt-\\"1\\"","s-1"]',
      'type+flow+session=["deal.created","qt-\\"1\\"","s-1"]',
    ].sort(),
  );
  for (const type of [null, "deal.created"]) {
    for (const flow of [null, 'qt-"1"']) {
      for (const session of [null, "s-1"]) {
        const term = eventsTerm({ type, flow, session });
        if (term !== null) expect(terms).toContain(term);
      }
    }
  }
  expect(eventsTerm({ type: null, flow: null, session: null })).toBeNull();
});

it("events: an event without flow or session stands under its owner and its type alone", () => {
  const { terms } = eventChange({ event_type: "package.archived", flow_id: "" }, 0, "operator");
  expect(terms).toEqual(["owner=operator", "type=package.archived"]);
});

it("events: what is not set is not stored, and is read like the empty members of older rows", () => {
  const { id, body } = eventChange({ ...draft, event_id: "e-1", flow_type: "deal", proposal_id: "" }, 0, "anonymous");
  expect(id).toBe("e-1");
  const text = JSON.stringify(body);
  expect(JSON.parse(text)).toEqual({
    event_type: "deal.created",
    timestamp: "1970-01-01T00:00:00.000Z",
    flow_id: 'qt-"1"',
    flow_type: "deal",
    payload: {},
    owner: "agency:a",
  });
  const older = {
    event_id: "e-1",
    event_type: "deal.created",
    timestamp: "1970-01-01T00:00:00.000Z",
    flow_id: 'qt-"1"',
    flow_type: "deal",
    proposal_id: "",
    deal_id: "",
    session_id: "",
    payload: {},
    metadata: {},
    owner: "agency:a",
  };
  const { owner: _owner, ...wire } = older;
  for (const forOperator of [true, false]) {
    expect(JSON.stringify(eventView({ id, body: JSON.parse(text) as EventRow }, forOperator))).toBe(
      JSON.stringify(wire),
    );
    expect(JSON.stringify(eventView({ id, body: older }, forOperator))).toBe(JSON.stringify(wire));
  }
});
