// `npm run gen`: writes the generated documents anew.
import { join } from "node:path";
import { writeGenerated } from "../dist/agents/commands/generate.js";

await writeGenerated(join(import.meta.dirname, ".."));
