// Fills in the URLs and checksums of deploy/ recipes for a release: node scripts/fill-recipes.mjs <directory>
// --tarball <url> <file> --executable <url> <file>
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Recipes and the release file that each installs. */
const RECIPES = {
  "homebrew/archivetool.rb": "tarball",
  "nix/default.nix": "tarball",
  "winget/archivetool.archivetool.yaml": "executable",
  "winget/archivetool.archivetool.installer.yaml": "executable",
  "winget/archivetool.archivetool.locale.en-US.yaml": "executable",
};

const [directory, ...words] = process.argv.slice(2);
const released = { tarball: releasedFile("tarball"), executable: releasedFile("executable") };
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
for (const [recipe, kind] of Object.entries(RECIPES)) {
  const { url, sha256 } = released[kind];
  const text = readFileSync(join("deploy", recipe), "utf8");
  const values = { RELEASE_URL: url, RELEASE_SHA256: sha256, RELEASE_VERSION: version };
  mkdirSync(dirname(join(directory, recipe)), { recursive: true });
  writeFileSync(
    join(directory, recipe),
    text.replaceAll(/RELEASE_(?:URL|SHA256|VERSION)/g, (word) => values[word]),
  );
}

/** URL and checksum of `--<kind> <url> <file>`. */
function releasedFile(kind) {
  const at = words.indexOf(`--${kind}`);
  const [url, file] = at < 0 ? [] : words.slice(at + 1, at + 3);
  if (directory === undefined || url === undefined || file === undefined) {
    console.error("usage: node scripts/fill-recipes.mjs <directory> --tarball <url> <file> --executable <url> <file>");
    process.exit(1);
  }
  return { url, sha256: createHash("sha256").update(readFileSync(file)).digest("hex") };
}
