import type { ListedIncident } from './listed-incident.js'

/** What became of the down alerts of an incident: the number of channels that got one, or did not although it was tried. */
export interface Outcome {
  sent: number
  failed: number
  /** What held or dropped the last one that was not sent, in words; empty if nothing did. */
  held: string
  /** Whether the check has an integration that is enabled: `disabled`: only disabled ones. */
  integrations: 'some' | 'disabled' | 'none'
}

/** Where an incident stands among the closed ones, or the open ones, newest first. */
export interface IncidentPlace {
  openedAt: number
  id: number
}

/** An incident in the list of one project or of several. */
export interface RecentIncident extends ListedIncident {
  project: { uuid: string; name: string }
  outcome: Outcome
}
