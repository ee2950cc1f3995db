import { join } from "node:path";
import { EXAMPLE_SEED, exampleCompany } from "./company/company.ts";
import { PST_NAME, writePst } from "./company-pst.ts";
import { writeSources } from "./mailbox-files.ts";

/**
 * `node --import tsx examples/generate.ts <directory>` writes the mail of the example company and prints its four
 * sources.
 */
const directory = process.argv[2];
if (directory === undefined) {
  console.error("usage: node --import tsx examples/generate.ts <directory>");
  process.exit(1);
}
const company = exampleCompany(EXAMPLE_SEED);
for (const path of writeSources(company, directory)) console.log(path);
const store = join(directory, PST_NAME);
writePst(company, store);
console.log(store);
