/** Writers of the structures inside properties of mail, tasks and lists, for tests. */

function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
}

/** A verb; answers to choose from have type 4. */
interface WrittenVerb {
  readonly type: number;
  readonly name: string;
}

/** PidLidVerbStream ([MS-OXOMSG] 2.2.1.74). @param isWide appends the names in Unicode */
export function verbStream(verbs: readonly WrittenVerb[], isWide: boolean): Buffer {
  const ansi = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, "latin1")]);
  const wide = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, "utf16le")]);
  return Buffer.concat([
    Buffer.from([0x02, 0x01]),
    uint32(verbs.length),
    ...verbs.flatMap(({ type, name }, index) => {
      const plain = ansi(isWide ? name.replace(/[^\x20-\x7e]/g, "?") : name);
      return [
        uint32(type),
        plain,
        ansi("IPM.Note"),
        ansi(""),
        plain,
        uint32(0),
        Buffer.from([0]),
        uint32(0, 0, 1, 2, index + 1, 0xffffffff),
      ];
    }),
    ...(isWide ? [Buffer.from([0x04, 0x01]), ...verbs.flatMap(({ name }) => [wide(name), wide(name)])] : []),
  ]);
}

/** PidLidTaskAssigners ([MS-OXOTASK] 2.2.2.2.24). */
export function taskAssigners(names: readonly string[]): Buffer {
  const assigners = names.map((name) =>
    Buffer.concat([
      uint32(3),
      Buffer.from("uid"),
      Buffer.from(`${name.replace(/[^\x20-\x7e]/g, "?")}\0`, "latin1"),
      Buffer.from(`${name}\0`, "utf16le"),
    ]),
  );
  const sized = assigners.flatMap((assigner) => [uint32(assigner.length), assigner]);
  return Buffer.concat([uint32(0, names.length), ...sized]);
}

/** An entry id that contains the mailbox itself ([MS-OXCDATA] 2.2.5.1). */
export function oneOffEntryId(name: string, email: string): Buffer {
  const header = Buffer.alloc(24);
  Buffer.from("812b1fa4bea310199d6e00dd010f5402", "hex").copy(header, 4);
  return Buffer.concat([header, Buffer.from(`${name}\0SMTP\0${email}\0`, "latin1")]);
}

/** PidLidDistributionListStream ([MS-OXOCNTC] 2.2.2.2.4): the entry id of each member, and its one-off entry id. */
export function memberStream(members: readonly { readonly own: Buffer; readonly oneOff: Buffer }[]): Buffer {
  const entries = members.flatMap(({ own, oneOff }) => [
    uint32(own.length),
    own,
    uint32(oneOff.length),
    oneOff,
    uint32(0),
  ]);
  return Buffer.concat([uint32(1, 16, 0, members.length), ...entries, uint32(0)]);
}
