import type { ScreenProps } from "../../screen.ts";
import { QuoteList } from "./list.tsx";
import { QuotePage } from "./page.tsx";

export const QuotesScreen = ({ id }: ScreenProps) => (id === null ? <QuoteList /> : <QuotePage key={id} id={id} />);
