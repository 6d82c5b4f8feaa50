// Written by `npm run docs` from the OpenAPI document of Punctual's own API.

/** A silence, as a read-write key sees it. */
export type Silence = {
  id: number
  state: 'active' | 'coming' | 'past'
  mode: 'hold' | 'expect_nothing'
  /** Checks: their UUIDs, or for a read-only key their unique keys. */
  scope:
    | {
        checks: string[]
      }
    | {
        tags: string[]
      }
    | {
        project: true
      }
  when:
    | {
        from: string
        to: string
      }
    | {
        cron: string
        duration: number
        timezone: string
        from: string
      }
    | {
        oncalendar: string
        duration: number
        timezone: string
        from: string
      }
  reason: string
  /** When it next begins or ceases to be active. */
  changes_at: string | null
  /** When nothing of it is active any more; null: never. */
  over_at: string | null
  /** When it was ended before its time. */
  ended_at: string | null
  created_at: string
  /** null: all channels. */
  channels: string[] | null
  created_by: string
}

/** A silence, as a read-only key sees it. */
export type ReadOnlySilence = Omit<Silence, 'channels' | 'created_by'>

export type NewSilence = {
  /** `expect_nothing`: in that time no run is expected, either. */
  mode?: 'hold' | 'expect_nothing'
  /** Which checks. */
  scope:
    | {
        /** UUIDs. */
        checks: string[]
      }
    | {
        /** Checks with at least one of them. */
        tags: string[]
      }
    | {
        project: true
      }
  /** UUIDs; null: all channels. */
  channels?: string[] | null
  /** Once, or again and again. */
  when:
    | {
        /** When it begins; now at the earliest, and by default. It cannot be changed once it has begun. */
        from?: string
        to: string
      }
    | {
        cron: string
        /** How long each window lasts, in elapsed seconds. */
        duration: number
        /** By whose clock windows begin, such as `Europe/Riga`. */
        timezone: string
        /** When it begins; now at the earliest, and by default. It cannot be changed once it has begun. */
        from?: string
      }
    | {
        oncalendar: string
        /** How long each window lasts, in elapsed seconds. */
        duration: number
        /** By whose clock windows begin, such as `Europe/Riga`. */
        timezone: string
        /** When it begins; now at the earliest, and by default. It cannot be changed once it has begun. */
        from?: string
      }
  /** Shown wherever an alert is held by this silence. */
  reason?: string
}

/** What is to be changed; everything is optional. */
export type SilenceChanges = Partial<NewSilence>
