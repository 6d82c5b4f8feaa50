// Written by `npm run docs` from the OpenAPI document of Punctual's own API.

/** The time from going down to coming up. */
export type Incident = {
  id: number
  check: {
    /** Null if the check is not in the project any more. */
    uuid?: string | null
    /** Instead of the UUID, for a read-only key. */
    unique_key?: string | null
    name: string
  }
  opened_at: string
  /** The first failure that was counted. */
  since: string
  /** `failed`, `missed`, `overrun` or `too_short`. */
  cause: string
  closed_at: string | null
  /** `person`: the check was moved to another project, or its log was cleared. */
  closed_by: 'recovery' | 'paused' | 'deleted' | 'person' | null
  /** Null if it is not acknowledged, or not any more. */
  acknowledged: {
    /** Null for a read-only key. */
    by: string | null
    at: string
    note: string
    until: string | null
  } | null
}

/** Something that happened to an incident. */
export type IncidentEntry =
  | {
      type: 'opened' | 'reopened'
      at: string
      cause: string
    }
  | {
      type: 'closed'
      at: string
      by: 'recovery' | 'paused' | 'deleted' | 'person'
    }
  | {
      type: 'message'
      at: string
      /** Null if it was deleted. */
      channel: {
        uuid?: string
        name?: string
        kind: string
      } | null
      /** `down`, `up` or `paused`. */
      status: string
      attempts: number
      last_attempt: string
      /** Null if it was sent; `Sending` while under way. */
      error: string | null
    }
  | {
      type: 'held'
      at: string
      /** Null if it was deleted. */
      channel: {
        uuid?: string
        name?: string
        kind: string
      } | null
      /** `silence`, `dependency`, `outage` (of Punctual, which may have missed a ping), `flapping`, `minute` and `hour` (limits of the channel), `receiver` (its rate limit), `unreachable` or `unknown`. */
      reason: string
      /** The reason in words, with the names of silences and checks. */
      text: string
      /** Its end, if that is known. */
      until: string | null
    }
  | {
      type: 'dropped'
      at: string
      /** Null if it was deleted. */
      channel: {
        uuid?: string
        name?: string
        kind: string
      } | null
      /** `superseded`, `held`, `over`, `closed`, `unreported`, `unwanted`, `unlinked`, `reported` or `acknowledged`. */
      reason: string
      /** What was not sent: a status, `step` or `repeat`. */
      text: string
    }
  | {
      type: 'acknowledged'
      at: string
      /** Null for a read-only key. */
      by: string | null
      note: string
      until: string | null
    }
  | {
      type: 'unacknowledged'
      at: string
      /** Null for a read-only key. */
      by: string | null
    }
  | {
      type: 'note'
      at: string
      /** Null for a read-only key. */
      by: string | null
      note: string
    }

/** Which incidents are acknowledged, and how. */
export type AcknowledgeSeveral = {
  incidents: number[]
  note?: string
  /** When it counts as unacknowledged again; null: never. */
  until?: string | null
}

/** An incident, and what happened to it, oldest first. */
export type IncidentWithTimeline = Incident & {
  timeline: IncidentEntry[]
}

/** How an incident is acknowledged; everything is optional. */
export type Acknowledge = {
  note?: string
  /** When it counts as unacknowledged again; null: never. */
  until?: string | null
}

/** A note on an incident. */
export type IncidentNote = {
  note: string
}
