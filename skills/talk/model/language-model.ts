export interface ModelPrompt {
  readonly system: string;
  readonly user: string;
}

/** Any model that answers a prompt in text; which one is the operator's choice. */
export interface LanguageModel {
  /** Null: nothing in time. Never throws. */
  ask(prompt: ModelPrompt): Promise<string | null>;
  /** What it answered is not used, for this reason. */
  discard(reason: string): void;
}
