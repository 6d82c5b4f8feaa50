import type { Act } from '../act.js'
import { channelActs } from './channels.js'
import { checkActs } from './checks.js'
import { incidentActs } from './incidents.js'
import { jobActs } from './jobs.js'
import { loopActs } from './loops.js'
import { pingActs, quietActs } from './pings.js'
import { projectActs } from './projects.js'
import { readActs } from './reads.js'

/** Every act, in the order in which they are measured. */
export const ACTS: readonly Act[] = [
  ...quietActs,
  ...checkActs,
  ...channelActs,
  ...incidentActs,
  ...projectActs,
  ...readActs,
  ...loopActs,
  ...jobActs,
  ...pingActs,
]
