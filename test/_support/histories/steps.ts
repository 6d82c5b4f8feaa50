import fc from 'fast-check'
import type { ChannelRules } from '../../../src/core/alerts/delivery/channel-rules.js'
import type { PolicyRules } from '../../../src/core/incidents/policy.js'

export const CHECKS = 4

/** How a message ends: it arrives and that is known; it is refused; it arrives and counts as failed; the process dies. */
export type Outcome = 'sent' | 'refused' | 'lost' | 'died'

/** What may happen while messages are on their way. */
export type QuickStep = Exclude<Step, { do: 'wait' | 'run' | 'rest' | 'die' | 'overlap' | 'undo' }>

/** What may happen before something is undone. */
export type MiddleStep = QuickStep | Extract<Step, { do: 'run' }>

/** What is done on a page and undone. */
export type Undoable = 'pause' | 'unlink' | 'link'

export type Step =
  | { do: 'change'; check: number; to: 'down' | 'up' | 'paused' }
  | { do: 'storm'; to: 'down' | 'up' }
  | { do: 'wait'; seconds: number }
  /** Sends what may be sent; the receiver takes it or not. */
  | { do: 'run'; ok: boolean }
  /** Sends all that there is, and holds it against the truth. */
  | { do: 'rest' }
  /** Sends some messages, and dies in the next, which arrived or not. */
  | { do: 'die'; after: number; arrived: boolean }
  | { do: 'enable' | 'disable' }
  /** Changes a check while the channel is enabled or disabled. */
  | { do: 'at once'; check: number; to: 'down' | 'up'; enabled: boolean }
  | { do: 'remove'; check: number }
  /** Links the check to the channel, or unlinks it. */
  | { do: 'link' | 'unlink'; check: number }
  /** Enables the group that the channel is linked through, or disables it. */
  | { do: 'group'; enabled: boolean }
  /** Begins or ends a hold of the check's alerts. */
  | { do: 'hold' | 'release'; check: number }
  | { do: 'acknowledge' | 'unacknowledge'; check: number }
  /** Leaves this many messages of the monthly quota. */
  | { do: 'quota'; messages: number }
  /** Asks that the open incident of the check is sent once more. */
  | { do: 'again'; check: number; kind: 'step' | 'repeat' }
  /** Pauses the check on a page, or takes the channel off it there, and undoes that after some steps. */
  | { do: 'undo'; what: Exclude<Undoable, 'link'>; check: number; during: MiddleStep[] }
  /** Takes messages after some steps; they end when others are done. `early`: what arrives does so before those. */
  | { do: 'overlap'; before: QuickStep[]; during: QuickStep[]; early: boolean; outcome: Outcome }

/** The steps of a history in which no message is on its way between two of them. */
export type QuietStep =
  | Extract<
      Step,
      { do: 'change' | 'wait' | 'run' | 'hold' | 'release' | 'acknowledge' | 'unacknowledge' | 'again' }
    >
  | Extract<Step, { do: 'link' | 'unlink' | 'group' | 'enable' | 'disable' }>
  /** Something is done on a page, and undone after some seconds. */
  | { do: 'undo soon'; what: Undoable; check: number; seconds: number }
  /** The process ends properly, and starts again. */
  | { do: 'restart' }

const check = fc.nat(CHECKS - 1)

const changeOf = (one: typeof check) =>
  fc.record({
    do: fc.constant('change' as const),
    check: one,
    to: fc.constantFrom('down' as const, 'down' as const, 'up' as const, 'up' as const, 'paused' as const),
  })
const anyChange = changeOf(check)
const anyStorm = fc.record({
  do: fc.constant('storm' as const),
  to: fc.constantFrom('down' as const, 'up' as const),
})
const anyLink = fc.record({ do: fc.constantFrom('link' as const, 'unlink' as const), check })
const anyGroup = fc.record({ do: fc.constant('group' as const), enabled: fc.boolean() })
const anySwitch = fc.record({ do: fc.constantFrom('enable' as const, 'disable' as const) })
const anyRemoval = fc.record({ do: fc.constant('remove' as const), check })

const anyWait = fc.record({
  do: fc.constant('wait' as const),
  seconds: fc.oneof(fc.constantFrom(1, 5, 61, 300, 901, 3_601, 90_000), fc.integer({ min: 1, max: 1_500 })),
})
const anyRun = fc.record({ do: fc.constant('run' as const), ok: fc.boolean() })
const anyRest = fc.constant({ do: 'rest' as const })

const overlapOf = (before: fc.Arbitrary<QuickStep>, during: fc.Arbitrary<QuickStep>) =>
  fc.record({
    do: fc.constant('overlap' as const),
    before: fc.array(before, { maxLength: 2 }),
    during: fc.array(during, { minLength: 1, maxLength: 4 }),
    early: fc.boolean(),
    outcome: fc.constantFrom<Outcome[]>('sent', 'sent', 'refused', 'lost', 'died'),
  })
const anyQuickStep = fc.oneof(
  { weight: 3, arbitrary: anyLink },
  { weight: 3, arbitrary: anyGroup },
  { weight: 2, arbitrary: anyChange },
  { weight: 1, arbitrary: anySwitch },
  { weight: 1, arbitrary: anyRemoval },
)
const anyOverlap = overlapOf(anyQuickStep, anyQuickStep)

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 9, arbitrary: anyChange },
  { weight: 1, arbitrary: anyStorm },
  { weight: 5, arbitrary: anyWait },
  { weight: 7, arbitrary: anyRun },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('die' as const), after: fc.nat(2), arrived: fc.boolean() }),
  },
  { weight: 1, arbitrary: anySwitch },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('at once' as const),
      check,
      to: fc.constantFrom('down' as const, 'down' as const, 'up' as const),
      enabled: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: anyRemoval },
  { weight: 3, arbitrary: anyLink },
  { weight: 2, arbitrary: anyGroup },
  { weight: 4, arbitrary: anyOverlap },
  { weight: 1, arbitrary: anyRest },
)

const anyHold = fc.record({ do: fc.constantFrom('hold' as const, 'release' as const), check })
const anyAcknowledgement = fc.record({
  do: fc.constantFrom('acknowledge' as const, 'unacknowledge' as const, 'unacknowledge' as const),
  check,
})
const anyQuota = fc.record({
  do: fc.constant('quota' as const),
  messages: fc.constantFrom(0, 0, 1, 3, Number.POSITIVE_INFINITY),
})
const anyAgain = fc.record({
  do: fc.constant('again' as const),
  check,
  kind: fc.constantFrom('step' as const, 'repeat' as const),
})

/** Everything of `anyStep`, with holds, acknowledgements, steps and repeats. */
export const anyNight: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: anyStep },
  { weight: 5, arbitrary: anyHold },
  { weight: 2, arbitrary: anyAcknowledgement },
  { weight: 4, arbitrary: anyAgain },
  { weight: 3, arbitrary: anyQuota },
  {
    weight: 2,
    arbitrary: overlapOf(
      fc.oneof(anyChange, anyHold, anyAgain),
      fc.oneof(anyChange, anyHold, anyAgain, anyAcknowledgement),
    ),
  },
)

/** Messages that are counted: few are left, they combine several checks and fail, and meanwhile something happens to some of those. */
export const anyCosts: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: anyNight },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('storm' as const), to: fc.constant('down' as const) }),
  },
  { weight: 3, arbitrary: anyChange },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('run' as const), ok: fc.constant(false) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('quota' as const), messages: fc.constantFrom(0, 1, 1, 2) }),
  },
  {
    weight: 2,
    arbitrary: overlapOf(anyStorm, fc.oneof(anyChange, anyChange, anyHold, anyRemoval, anyLink, anySwitch)),
  },
)

/** Everything of `anyNight` that neither changes links nor ends in the middle of a message, with restarts. */
export const anyQuietStep: fc.Arbitrary<QuietStep> = fc.oneof(
  { weight: 8, arbitrary: anyChange },
  { weight: 4, arbitrary: anyWait },
  { weight: 6, arbitrary: anyRun },
  { weight: 4, arbitrary: anyHold },
  { weight: 2, arbitrary: anyAcknowledgement },
  { weight: 2, arbitrary: anyAgain },
  { weight: 2, arbitrary: fc.constant({ do: 'restart' as const }) },
)

const anyWhat = fc.constantFrom('pause' as const, 'pause' as const, 'unlink' as const)
const anyMiddle = fc.oneof(
  { weight: 4, arbitrary: anyRun },
  { weight: 3, arbitrary: anyChange },
  { weight: 2, arbitrary: anyHold },
  { weight: 2, arbitrary: anySwitch },
  { weight: 1, arbitrary: anyLink },
  { weight: 1, arbitrary: anyGroup },
  { weight: 1, arbitrary: anyAgain },
  { weight: 1, arbitrary: anyAcknowledgement },
)

/** Everything of `anyNight`, with much that is done on pages and undone. */
export const anyRegret: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: anyNight },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('undo' as const),
      what: anyWhat,
      check,
      during: fc.array(anyMiddle, { maxLength: 5 }),
    }),
  },
)

const anyQuietRegret: fc.Arbitrary<QuietStep> = fc.oneof(
  { weight: 5, arbitrary: anyQuietStep },
  { weight: 2, arbitrary: anyLink },
  { weight: 1, arbitrary: fc.oneof(anyGroup, anySwitch) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('undo soon' as const),
      what: fc.constantFrom<Undoable[]>('pause', 'pause', 'unlink', 'link'),
      check,
      seconds: fc.integer({ min: 0, max: 12 }),
    }),
  },
)

/** What a check and its channel may have been through; with random steps alone most of it would be rare. */
const SITUATIONS: QuietStep[][] = (() => {
  const down = { do: 'change' as const, check: 0, to: 'down' as const }
  const up = { do: 'change' as const, check: 0, to: 'up' as const }
  const [unlink, link] = [
    { do: 'unlink' as const, check: 0 },
    { do: 'link' as const, check: 0 },
  ]
  const disable = { do: 'disable' as const }
  const [away, back] = [
    { do: 'group' as const, enabled: false },
    { do: 'group' as const, enabled: true },
  ]
  const run = { do: 'run' as const, ok: true }
  return [
    [],
    [down],
    [down, run],
    [down, { do: 'run', ok: false }],
    [{ do: 'hold', check: 0 }, down, run],
    [down, run, { do: 'acknowledge', check: 0 }],
    [down, run, up],
    [disable, down],
    [disable, down, run],
    [down, run, disable, up, run],
    [down, run, unlink],
    [unlink, down],
    [unlink, down, link],
    [down, run, unlink, link],
    [away, down, back],
    [down, run, away],
  ]
})()

/**
 * A situation and some steps of `anyQuietStep`, with changes of links, and with what is done on pages and undone before anything else
 * happens; mostly of one check, because what one step leaves matters to the next.
 */
export const anyQuietRegrets: fc.Arbitrary<QuietStep[]> = fc
  .tuple(
    fc.constantFrom(...SITUATIONS),
    fc.constantFrom([0], [1], [0, 1], [0, 1, 2, 3]),
    fc.array(anyQuietRegret, { minLength: 3, maxLength: 15, size: 'max' }),
  )
  .map(([situation, names, steps]) =>
    [...situation, ...steps].map(step =>
      'check' in step ? { ...step, check: names[step.check % names.length]! } : step,
    ),
  )

/** Links of one check or two that come and go, mostly while messages are on their way. */
const few = fc.constantFrom(0, 0, 0, 1)
const linksAway = fc.oneof(
  few.map(one => ({ do: 'unlink' as const, check: one })),
  fc.constant({ do: 'group' as const, enabled: false }),
)
const linksBack = fc.oneof(
  few.map(one => ({ do: 'link' as const, check: one })),
  fc.constant({ do: 'group' as const, enabled: true }),
)
const anyOf = (away: number, back: number, change: number) =>
  fc.oneof(
    { weight: away, arbitrary: linksAway },
    { weight: back, arbitrary: linksBack },
    { weight: change, arbitrary: changeOf(few) },
  )
export const anyLinking: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: anyOf(1, 3, 3) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('run' as const), ok: fc.constantFrom(true, true, false) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(1, 61) }) },
  { weight: 6, arbitrary: overlapOf(anyOf(3, 1, 1), anyOf(1, 4, 1)) },
  { weight: 5, arbitrary: anyRest },
)

/** A kind that keeps incidents open, in both directions: it must learn of every end. */
export const INCIDENT_RULES: ChannelRules = {
  down: true,
  up: true,
  grouped: false,
  keepsOpen: true,
  hourly: 0,
  receiver: null,
}

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

/** Each alerts the check's channels at once, some once more. */
const anyPolicy: fc.Arbitrary<PolicyRules> = fc.record({
  steps: fc.constantFrom(
    [{ after: 0, channels: 'check' as const }],
    [
      { after: 0, channels: 'check' as const },
      { after: 300, channels: 'check' as const },
    ],
  ),
  // Few enough to be over when all that there is has been sent.
  repeat: fc.constantFrom(null, { every: 300, times: 10 }, { every: 3_600, times: 2 }),
})

/** What a project has besides its checks. */
export const anyRulesOfProject = fc.record({
  policy: fc.option(anyPolicy),
  hasParents: fc.constantFrom(true, true, false),
})
