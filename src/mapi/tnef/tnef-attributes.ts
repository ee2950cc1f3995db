import { FILETIME_EPOCH_MS } from "../../properties/properties.ts";
import { TYPE } from "../../properties/property-bytes.ts";
import { PID } from "../../properties/property-ids.ts";
import type { TnefValue } from "./tnef-properties.ts";

/** A legacy attribute and its property ([MS-OXTNEF] 2.1.3.3). */
interface LegacyAttribute {
  readonly attribute: number;
  readonly property: number;
  readonly as: "text" | "class" | "time";
}

/** Used if the message lacks such a property. */
export const LEGACY_ATTRIBUTES: readonly LegacyAttribute[] = [
  { attribute: 0x0001_8004, property: PID.subject, as: "text" },
  { attribute: 0x0002_800c, property: PID.body, as: "text" },
  { attribute: 0x0007_8008, property: PID.messageClass, as: "class" },
  { attribute: 0x0003_8005, property: PID.clientSubmitTime, as: "time" },
  { attribute: 0x0003_8006, property: PID.deliveryTime, as: "time" },
  { attribute: 0x0003_0006, property: PID.startDate, as: "time" },
  { attribute: 0x0003_0007, property: PID.endDate, as: "time" },
];

/** Classes under the names that they had before Outlook (lower case). */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ["ipm.microsoft mail.note", "IPM.Note"],
  ["ipm.microsoft mail.read receipt", "REPORT.IPM.Note.IPNRN"],
  ["ipm.microsoft mail.non-delivery", "REPORT.IPM.Note.NDR"],
  ["ipm.microsoft schedule.mtgreq", "IPM.Schedule.Meeting.Request"],
  ["ipm.microsoft schedule.mtgrespp", "IPM.Schedule.Meeting.Resp.Pos"],
  ["ipm.microsoft schedule.mtgrespn", "IPM.Schedule.Meeting.Resp.Neg"],
  ["ipm.microsoft schedule.mtgrespa", "IPM.Schedule.Meeting.Resp.Tent"],
  ["ipm.microsoft schedule.mtgcncl", "IPM.Schedule.Meeting.Canceled"],
]);

/** The value as a property; null if the attribute has none. */
export function legacyValue({ as }: LegacyAttribute, data: Buffer): TnefValue | null {
  if (as === "time") return timeValue(data);
  const end = data.indexOf(0);
  const bytes = end < 0 ? data : data.subarray(0, end);
  if (as === "text") return { type: TYPE.string8, bytes };
  const name = bytes.toString("latin1");
  return { type: TYPE.string8, bytes: Buffer.from(CLASSES.get(name.toLowerCase()) ?? name, "latin1") };
}

/** Year, month, day, hour, minute, second and weekday, 16 bits each ([MS-OXTNEF] 2.1.3.3.2). */
function timeValue(data: Buffer): TnefValue | null {
  if (data.length < 12) return null;
  const [year, month, day, hour, minute, second] = [0, 2, 4, 6, 8, 10].map((at) => data.readUInt16LE(at));
  const instant = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!);
  if (year! < 1601 || month! < 1 || month! > 12 || Number.isNaN(instant)) return null;
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(instant + FILETIME_EPOCH_MS) * 10_000n);
  return { type: TYPE.time, bytes };
}
