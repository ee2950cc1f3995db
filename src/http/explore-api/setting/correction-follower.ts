import type { FollowState } from "../wire/wire-corrections.ts";

/**
 * Applies corrections to a served archive, one run at a time. The next run applies all corrections that arrive during
 * one.
 */
export class CorrectionFollower {
  private running: Promise<void> | null = null;
  private isWanted = false;
  private hasFailed = false;

  /** @param apply applies all stored corrections and shows the result; logs its errors */
  constructor(private readonly apply: () => Promise<void>) {}

  get state(): FollowState {
    if (this.running !== null) return "applying";
    return this.hasFailed ? "failed" : "current";
  }

  /** Call after a correction was stored. */
  follow(): void {
    this.isWanted = true;
    this.running ??= this.run();
  }

  /** Resolves when all corrections are applied. */
  async ended(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.isWanted) {
      this.isWanted = false;
      this.hasFailed = await this.apply().then(
        () => false,
        () => true,
      );
    }
    // In the same tick as the last check, so that no correction comes in between.
    this.running = null;
  }
}
