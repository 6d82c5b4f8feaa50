/**
 * `truth`: a channel is brought to the truth of its checks; `unlinked`: checks end for a channel that are no longer linked to it;
 * `policies`: a project's open incidents follow its policies; `held`: a project's held alerts are planned again.
 */
export type FollowUpKind = 'truth' | 'unlinked' | OfProject

/** What follows for a whole project: it is the subject. */
export type OfProject = 'policies' | 'held'

export interface FollowUp {
  projectId: number
  kind: FollowUpKind
  /** The ID of the channel, or of the project. */
  subject: number
}

/** A follow-up as it was when it was looked at. `afterId`: the last check or incident for which it was done. */
export type KeptFollowUp = FollowUp & { afterId: number }

/** A row of `follow_ups`. `version`: how often it was asked for since it began at the first check or incident. */
export interface FollowUpColumns {
  project_id: number
  kind: FollowUpKind
  subject: number
  after_id: number
  version: number
}
