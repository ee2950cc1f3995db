import { TYPE } from "../src/properties/property-bytes.ts";
import { PID } from "../src/properties/property-ids.ts";

const NO_NAMES = Buffer.alloc(2);

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

/** A property tag: the id above the type. */
export const tag = (id: number, type: number): Buffer => uint32(id * 0x1_0000 + type);

/** A text after its tag, with the final NUL. */
export const taggedText = (id: number, value: string): Buffer =>
  Buffer.concat([tag(id, TYPE.string), Buffer.from(`${value}\0`, "utf16le")]);

/** `PidTagExtendedRuleMessageCondition` ([MS-OXORULE] 2.2.4.1.10) of one condition, which may contain others. */
export const conditionBlob = (condition: Buffer): Buffer => Buffer.concat([NO_NAMES, condition]);

/** A condition that a text property contains a text, ignoring case ([MS-OXCDATA] 2.12.4). */
export const contains = (id: number, value: string): Buffer =>
  Buffer.concat([Buffer.from([3, 1, 0, 1, 0]), tag(id, TYPE.string), taggedText(id, value)]);

/** 0 if all conditions must hold, 1 if any must, 2 if one must not ([MS-OXCDATA] 2.12.1 to 2.12.3). */
export const logical = (type: 0 | 1 | 2, ...conditions: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([type]), ...(type === 2 ? [] : [uint32(conditions.length)]), ...conditions]);

/** `PidTagExtendedRuleMessageActions` ([MS-OXORULE] 2.2.4.1.9) of actions, each with its type and data. */
export function actionBlob(...actions: readonly (readonly [type: number, data: Buffer])[]): Buffer {
  const blocks = actions.map(([type, data]) =>
    Buffer.concat([uint32(9 + data.length), Buffer.from([type]), Buffer.alloc(8), data]),
  );
  return Buffer.concat([NO_NAMES, uint32(1), uint32(actions.length), ...blocks]);
}

/** The action that forwards to one person. */
export function forwardBlob(name: string, email: string): Buffer {
  const values = [taggedText(PID.displayName, name), taggedText(PID.emailAddress, email)];
  return actionBlob([7, Buffer.concat([uint32(1), Buffer.from([1]), uint32(values.length), ...values])]);
}
