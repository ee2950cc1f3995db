// Checks the subjects of commits: `area: imperative verb …`, at most 65 characters. `npm test` runs it in a checkout.
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";

/** The last commit before this check. */
const LAST_UNCHECKED = "f47f8ca9";
/** Characters that fit next to a hash in `git log --oneline` at 80 columns. */
const MAX_CHARACTERS = 65;
/** An area and a verb, or the subject of `git revert`. */
const SUBJECT = /^(?:Revert "|[a-z][a-z0-9-]*(?:[ /,.]+[a-z0-9-]+)*: [a-z])/;
/** A verb that is not imperative: "added", "adding", "adds". */
const OTHER_FORM =
  /: (?:added|adding|adds|fixed|fixing|fixes|changed|changing|changes|removed|removing|removes|updated|updating|updates|renamed|renaming|renames|made|making|makes|moved|moving|moves) /;

/** The problem of a subject, or null. */
export function faultOf(subject) {
  if (subject.length > MAX_CHARACTERS) return `has ${subject.length} characters, more than ${MAX_CHARACTERS}`;
  if (!SUBJECT.test(subject)) return "does not begin with an area in lower case, a colon and a verb";
  return OTHER_FORM.test(subject) ? "has no verb in the imperative" : null;
}

function git(...args) {
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8" });
  return status === 0 ? stdout : null;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const subjects = git("log", "--no-merges", "--format=%s", `${LAST_UNCHECKED}..HEAD`);
  if (subjects === null) console.log("commit subjects: not checked, because this is not a checkout with history");
  const faults = (subjects ?? "")
    .split("\n")
    .filter((subject) => subject !== "")
    .flatMap((subject) => (faultOf(subject) === null ? [] : [`${subject}\n    ${faultOf(subject)}`]));
  if (faults.length > 0) {
    console.error(`commit subjects:\n  ${faults.join("\n  ")}`);
    process.exitCode = 1;
  }
}
