import type { EventType } from "./event-types.ts";

export interface BusEvent {
  readonly event_id: string;
  readonly event_type: string;
  readonly timestamp: string;
  readonly flow_id: string;
  readonly flow_type: string;
  readonly deal_id: string;
  readonly session_id: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Every further member becomes metadata. */
export interface Emission {
  readonly flow_id?: string;
  readonly flow_type?: string;
  readonly deal_id?: string;
  readonly session_id?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly [extra: string]: unknown;
}

/** Never throws: null on failure. `emit` waits for the record, `emitNow` does not. */
export interface EventEmitter {
  emit(type: EventType, emission?: Emission): Promise<BusEvent | null>;
  emitNow(type: EventType, emission?: Emission): BusEvent | null;
}
