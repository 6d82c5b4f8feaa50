import fc from 'fast-check'
import type { ChannelRules } from '../../../src/core/alerts/delivery/channel-rules.js'

export const CHECKS = 4

export type Step =
  | { do: 'change'; check: number; to: 'down' | 'up' | 'paused' }
  | { do: 'storm'; to: 'down' | 'up' }
  | { do: 'wait'; seconds: number }
  /** Sends what may be sent; the receiver takes it or not. */
  | { do: 'run'; ok: boolean }
  /** Sends some messages, and dies in the next, which arrived or not. */
  | { do: 'die'; after: number; arrived: boolean }
  | { do: 'enable' | 'disable' }
  /** Changes a check while the channel is enabled or disabled. */
  | { do: 'at once'; check: number; to: 'down' | 'up'; enabled: boolean }
  | { do: 'remove'; check: number }
  /** Links the check to the channel, or unlinks it. */
  | { do: 'link' | 'unlink'; check: number }

const check = fc.nat(CHECKS - 1)

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      check,
      to: fc.constantFrom('down' as const, 'down' as const, 'up' as const, 'up' as const, 'paused' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('storm' as const),
      to: fc.constantFrom('down' as const, 'up' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      seconds: fc.oneof(
        fc.constantFrom(1, 5, 61, 300, 901, 3_601, 90_000),
        fc.integer({ min: 1, max: 1_500 }),
      ),
    }),
  },
  { weight: 7, arbitrary: fc.record({ do: fc.constant('run' as const), ok: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('die' as const), after: fc.nat(2), arrived: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('enable' as const, 'disable' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('at once' as const),
      check,
      to: fc.constantFrom('down' as const, 'down' as const, 'up' as const),
      enabled: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), check }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('link' as const, 'unlink' as const), check }) },
)

/** Channels of every sort: read by people or not, with or without limits, of one direction or both. */
export const anyRules: fc.Arbitrary<ChannelRules> = fc
  .record({
    direction: fc.constantFrom('both', 'both', 'both', 'down', 'up'),
    sort: fc.constantFrom('people', 'people', 'program', 'incidents'),
    hourly: fc.constantFrom(0, 0, 2, 30),
  })
  .map(({ direction, sort, hourly }) => ({
    down: direction !== 'up',
    up: direction !== 'down',
    grouped: sort === 'people',
    keepsOpen: sort === 'incidents',
    hourly: sort === 'people' ? hourly : 0,
    receiver: null,
  }))
