/** A cell that starts as a formula would run in a spreadsheet. */
const cellOf = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
};

const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(cellOf).join(",")).join("\r\n");

interface DownloadProps {
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Without the mark at its beginning, spreadsheets read it in another encoding (RFC 4180 names none). */
const byteOrderMark = "\uFEFF";

export const saveFile = (name: string, type: string, parts: readonly string[]): void => {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};

export const saveCsv = (name: string, head: readonly string[], rows: readonly (readonly string[])[]): void =>
  saveFile(name, "text/csv", [byteOrderMark, csvOf([head, ...rows])]);

/** What is shown, as a file. */
export const Download = ({ name, head, rows }: DownloadProps) => (
  <button type="button" class="link" onClick={() => saveCsv(name, head, rows)}>
    As CSV
  </button>
);
