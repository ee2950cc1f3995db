import { expect, it } from "vitest";
import { CorrectionFollower } from "./correction-follower.ts";

it("applies a correction that arrives when a run ends", async () => {
  let runs = 0;
  const follower = new CorrectionFollower(async () => {
    runs++;
  });
  for (let turns = 0; turns < 8; turns++) {
    follower.follow();
    const before = runs;
    // Waits a few turns, so that the run can be at any step of its end.
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    follower.follow();
    await follower.ended();
    await follower.ended();
    expect([turns, runs > before, follower.state]).toEqual([turns, true, "current"]);
  }
});

it("applies corrections that come during a run together, and reports a failed run", async () => {
  const results = [Promise.resolve(), Promise.reject(new Error("disk full"))];
  results[1]!.catch(() => undefined);
  let runs = 0;
  const follower = new CorrectionFollower(() => results[runs++]!);
  follower.follow();
  expect(follower.state).toBe("applying");
  follower.follow();
  follower.follow();
  await follower.ended();
  expect([runs, follower.state]).toEqual([2, "failed"]);
});
