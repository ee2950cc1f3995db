import { EXAMPLE_SEED, exampleCompany } from "./company/company.ts";
import { writeSources } from "./mailbox-files.ts";

/** `node --import tsx examples/generate.ts <directory>` writes the mail of the example company and prints its three sources. */
const directory = process.argv[2];
if (directory === undefined) {
  console.error("usage: node --import tsx examples/generate.ts <directory>");
  process.exit(1);
}
for (const path of writeSources(exampleCompany(EXAMPLE_SEED), directory)) console.log(path);
