import type { Clock } from '../../src/lib/clock.js'

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  constructor(private instant = Date.parse('2026-01-05T12:00:00Z')) {}

  now(): number {
    return this.instant
  }

  advance(seconds: number): void {
    this.instant += Math.round(seconds * 1000)
  }
}
