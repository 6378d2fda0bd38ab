import type { EventType } from "./event-types.ts";

/** An event as subscribers and readers of the bus see it. */
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

/** What an event is emitted with; every further member becomes metadata. */
export interface Emission {
  readonly flow_id?: string;
  readonly flow_type?: string;
  readonly deal_id?: string;
  readonly session_id?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly [extra: string]: unknown;
}

/**
 * Emits an event that belongs to no commit. Never throws: null where it failed. `emit` resolves once the event is
 * recorded, or could not be; `emitNow` does not wait.
 */
export interface EventEmitter {
  emit(type: EventType, emission?: Emission): Promise<BusEvent | null>;
  emitNow(type: EventType, emission?: Emission): BusEvent | null;
}
