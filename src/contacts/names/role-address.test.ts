import { describe, expect, it } from "vitest";
import { addressKind, isMachineHost } from "./role-address.ts";

describe("addressKind", () => {
  it.each([
    ["no-reply", "robot"],
    ["do_not_reply", "robot"],
    ["mailer-daemon", "robot"],
    ["owner-list", "robot"],
    ["list-request", "robot"],
    ["bounce-1234-jane=x.org", "robot"],
    ["20010507.4711", "robot"],
    ["alerts.trading", "robot"],
    ["sales", "role"],
    ["customer.service", "role"],
    ["human-resources", "role"],
    ["office.chairman", "role"],
    ["jane.doe", "person"],
    ["jdoe2", "person"],
    ["salesman", "person"],
    ["", "person"],
  ])("%s: %s", (local, kind) => expect(addressKind(local)).toBe(kind));
});

it.each([
  ["lists.x.example", true],
  ["news.x.example", true],
  ["mailman.x.example", true],
  ["a.mailer.x.example", true],
  ["x.example", false],
  ["news.example", false],
  ["mail.x.example", false],
])("detects %s as automated: %s", (host, isMachine) => expect(isMachineHost(host)).toBe(isMachine));
