import { clockStepped } from './clock-stepped.js'
import { databaseFrozen } from './database-frozen.js'
import { databaseKilled } from './database-killed.js'
import { diskFull } from './disk-full.js'
import type { Fault } from './frame/bench.js'
import { hangingReceiver } from './hanging-receiver.js'
import { idleConnections } from './idle-connections.js'
import { killed } from './killed.js'
import { killedSilences } from './killed-silences.js'
import { anyTrouble, pingsRefused } from './pings-refused.js'
import { primaryLost } from './primary-lost.js'
import { restoredBackup } from './restored-backup.js'
import { runTimes } from './run-times.js'
import { slowClients } from './slow-clients.js'
import { stopped } from './stopped.js'

/** Every fault that can be tried with npm alone, by the name of its file. */
export const faults: Readonly<Record<string, Fault>> = {
  killed,
  'killed-silences': killedSilences,
  stopped,
  'database-killed': databaseKilled,
  'database-frozen': databaseFrozen,
  'primary-lost': primaryLost,
  'disk-full': diskFull,
  'clock-stepped': clockStepped,
  'hanging-receiver': hangingReceiver,
  'slow-clients': slowClients,
  'idle-connections': idleConnections,
  'restored-backup': restoredBackup,
  'run-times': runTimes,
  ...pingsRefused,
  'any-trouble': anyTrouble,
}
