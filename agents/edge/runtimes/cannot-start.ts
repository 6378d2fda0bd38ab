/** What an operator can mend: of an error with a `code` the command line prints the message and no stack. */
export class CannotStart extends Error {
  readonly code = "EDGE_CANNOT_START";
}
