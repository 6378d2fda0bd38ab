import type { Screen, ScreenProps } from "../../screen.ts";
import { DealList } from "./list.tsx";
import { DealPage } from "./page.tsx";

const DealsScreen = ({ id }: ScreenProps) => (id === null ? <DealList /> : <DealPage key={id} id={id} />);

export const deals: Screen = { path: "deals", label: "Deals", key: "d", hasRows: true, component: DealsScreen };
