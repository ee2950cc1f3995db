// Packs data of packages that no module imports into files of dist/. `node --import tsx scripts/vendor-data.ts
// [directory]`
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LANGUAGE_NGRAMS, NGRAMS_FILE } from "../src/extraction/preparing/language-table.ts";
import { packNgrams } from "../src/text/language/language-ngrams.ts";

const [directory = "dist"] = process.argv.slice(2);
const file = join(directory, NGRAMS_FILE);
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, packNgrams(LANGUAGE_NGRAMS));
