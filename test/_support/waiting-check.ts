import type { Change } from '../../src/core/alerts/delivery/change.js'
import type { ChannelState, WaitingCheck } from '../../src/core/alerts/delivery/plan-values.js'

const NONE = { from: null, down: 0, other: 0 }

/** A down alert that waits since `at` (ms): not tried, not held and not counted. */
export function downChange(at: number): Change {
  return {
    id: 1,
    status: 'down',
    flipId: 1,
    at,
    attempts: 0,
    charged: 0,
    heldBy: null,
    delayed: false,
    superseded: 0,
    missed: false,
    createdAt: at,
    again: null,
  }
}

/** A check that is down, with these changes to report, of which nothing was reported yet and nothing is held. */
export function waitingCheck(changes: Change[]): WaitingCheck {
  return {
    checkId: 7,
    changes,
    reported: null,
    isDown: true,
    isTarget: true,
    holds: [],
    overAt: null,
    outageUntil: null,
    isAcknowledged: false,
    flapping: null,
    history: [],
  }
}

/** A channel that works and has no limit, at `now` (ms). */
export function channelAt(now: number): ChannelState {
  return {
    rules: { down: true, up: true, grouped: true, keepsOpen: false, hourly: 0, receiver: null },
    usable: 'yes',
    sent: { minute: NONE, hour: NONE },
    unreachableUntil: null,
    sending: { down: 0, other: 0 },
    receiver: { messages: 5, until: now },
    quota: { messages: Number.POSITIVE_INFINITY, until: now },
  }
}
