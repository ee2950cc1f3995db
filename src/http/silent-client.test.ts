import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { cutIfSilent } from "./http-server.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("disconnects a silent client, but not one with unread bytes", () => {
  const silent = { bytesRead: 5, bytesWritten: 7, destroy: vi.fn() };
  const sending = { ...silent, destroy: vi.fn() };
  const reading = { ...silent, destroy: vi.fn() };
  for (const socket of [silent, sending, reading]) cutIfSilent(socket);
  expect(silent.destroy).not.toHaveBeenCalled();
  sending.bytesRead++;
  reading.bytesWritten++;
  vi.runAllTimers();
  expect([silent, sending, reading].map(({ destroy }) => destroy.mock.calls.length)).toEqual([1, 0, 0]);
});
