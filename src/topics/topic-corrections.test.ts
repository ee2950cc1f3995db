import { describe, expect, it } from "vitest";
import { correctTopics, parseTopicCorrections } from "./topic-corrections.ts";

const FOUND = [
  { ordinal: 0, name: "Other" },
  { ordinal: 1, name: "Port Contract" },
  { ordinal: 2, name: "Penalty Clause" },
  { ordinal: 3, name: "Job Spam" },
];

/** Each displayed topic with the topics that are part of it. */
function shown(text: string): readonly string[] {
  const topics = correctTopics(FOUND, parseTopicCorrections(text, "topics.txt"), 0);
  return FOUND.map(({ ordinal, name }) => `${name}: ${topics.nameOf(topics.shownAs(ordinal))}`);
}

describe("corrections of topics", () => {
  it.each([
    ["", ["Other", "Port Contract", "Penalty Clause", "Job Spam"]],
    ["Harbor\n  port contract\n--\n", ["Other", "Harbor", "Penalty Clause", "Job Spam"]],
    ["  Port Contract\n  Penalty Clause\n", ["Other", "Port Contract", "Port Contract", "Job Spam"]],
    ["! Job Spam\n", ["Other", "Port Contract", "Penalty Clause", "Other"]],
    ["Harbor\n  Port Contract\n--\n! Harbor\n", ["Other", "Other", "Penalty Clause", "Job Spam"]],
    ["  Gone\n  Job Spam\n! Gone too\n! Other\n", ["Other", "Port Contract", "Penalty Clause", "Job Spam"]],
    ["Deal\n  Port Contract\n  Penalty Clause\n--\n  Deal\n  Job Spam\n", ["Other", "Deal", "Deal", "Deal"]],
  ])("%j", (text, names) => {
    expect(shown(text)).toEqual(FOUND.map(({ name }, at) => `${name}: ${names[at]}`));
  });

  it.each([
    ["Harbor\n--\n", "topics.txt, line 1: a name without a topic below it"],
    ["\n!\n", "topics.txt, line 2: a topic is hidden as `! NAME`"],
  ])("rejects %j", (text, message) => {
    expect(() => parseTopicCorrections(text, "topics.txt")).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message }),
    );
  });
});
