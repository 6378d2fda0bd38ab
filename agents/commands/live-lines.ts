/** A line on the terminal that says what is being done, until what became of it takes its place. */
export interface LiveLines {
  /** `said` null: the line goes, as what follows says it. */
  step<T>(doing: string, work: () => Promise<T>, said: (value: T) => string | null): Promise<T>;
}

const clear = "\r\u001b[2K";

/** Null where nobody watches: a program reads lines when they are whole. */
export const liveLines = (out: NodeJS.WriteStream): LiveLines | null =>
  out.isTTY
    ? {
        step: async (doing, work, said) => {
          const startMs = Date.now();
          out.write(`${doing} …`);
          try {
            const value = await work();
            const line = said(value);
            const seconds = ((Date.now() - startMs) / 1000).toFixed(1);
            out.write(line === null ? clear : `${clear}${line}   ${seconds} s\n`);
            return value;
          } catch (error) {
            out.write("\n");
            throw error;
          }
        },
      }
    : null;
