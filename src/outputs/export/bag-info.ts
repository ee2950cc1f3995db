import { ArchiveError } from "../../errors.ts";

/**
 * Elements of bag-info.txt that users can set: the reserved ones of RFC 8493 section 2.2.2 that this program does not
 * write, and the accession number. True for repeatable ones.
 */
const BAG_FIELDS: Readonly<Record<string, boolean>> = {
  "Source-Organization": true,
  "Organization-Address": true,
  "Contact-Name": true,
  "Contact-Phone": true,
  "Contact-Email": true,
  "External-Description": true,
  "External-Identifier": true,
  "Bag-Group-Identifier": false,
  "Bag-Count": false,
  "Internal-Sender-Identifier": true,
  "Internal-Sender-Description": true,
  "BagIt-Profile-Identifier": true,
  "Accession-Number": false,
};

export interface BagField {
  readonly label: string;
  readonly value: string;
}

/** The fields of flags such as `Contact-Name=Ann Quay`, labels in any case. Throws INVALID_ARGUMENT. */
export function bagFields(flags: readonly string[]): readonly BagField[] {
  const fields = flags.map(bagField);
  for (const { label } of fields) {
    if (BAG_FIELDS[label] === false && fields.filter((field) => field.label === label).length > 1)
      throw new ArchiveError("INVALID_ARGUMENT", `--bag-info ${label} must not be repeated`);
  }
  return fields;
}

function bagField(flag: string): BagField {
  const at = flag.indexOf("=");
  const given = flag.slice(0, at).trim().toLowerCase();
  const label = Object.keys(BAG_FIELDS).find((name) => name.toLowerCase() === given);
  const value = flag.slice(at + 1).trim();
  if (at < 0 || label === undefined || value === "" || /\p{Cc}/u.test(value))
    throw new ArchiveError("INVALID_ARGUMENT", `--bag-info must be <field>=<value>, not "${flag}"`, {
      hint: `fields are ${Object.keys(BAG_FIELDS).join(", ")}`,
    });
  return { label, value: value.toWellFormed() };
}
