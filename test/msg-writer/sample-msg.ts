import { PID } from "../../src/properties/property-ids.ts";
import { text } from "../pst-writer/property-writer.ts";
import { patternBytes, sampleMail } from "../pst-writer/sample-store.ts";
import type { WrittenMessage } from "../pst-writer/store-writer.ts";
import { buildMsg } from "./msg-writer.ts";

/** A message with every part that damage can affect: recipients, values of all sizes, an attached file and message. */
export const SAMPLE_MESSAGE: WrittenMessage = {
  ...sampleMail(49),
  attachments: [
    { properties: [text(PID.attachLongFilename, "figures.bin")], data: patternBytes(9000, 3) },
    {
      properties: [text(PID.displayName, "Inner")],
      message: { ...sampleMail(3), attachments: [{ properties: [], data: patternBytes(70, 4) }] },
    },
  ],
};

export function sampleMsg(majorVersion: 3 | 4 = 3): Buffer {
  return buildMsg(SAMPLE_MESSAGE, majorVersion);
}
