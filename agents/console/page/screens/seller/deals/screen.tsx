import type { ScreenProps } from "../../screen.ts";
import { DealList } from "./list.tsx";
import { DealPage } from "./page.tsx";

export const DealsScreen = ({ id }: ScreenProps) => (id === null ? <DealList /> : <DealPage key={id} id={id} />);
