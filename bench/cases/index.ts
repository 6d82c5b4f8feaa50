import type { Case } from '../case.js'
import { alert } from './alert.js'
import { beside } from './beside.js'
import { createChecks } from './create-checks.js'
import { dashboard } from './dashboard.js'
import { exec } from './exec.js'
import { fair } from './fair.js'
import { flappingParent } from './flapping-parent.js'
import { largest } from './largest.js'
import { listChecks } from './list-checks.js'
import { million } from './million.js'
import { nativeBatch } from './native-batch.js'
import { nativeList } from './native-list.js'
import { neighbours } from './neighbours.js'
import { pages } from './pages.js'
import { pingClosing } from './ping-closing.js'
import { pingEach } from './ping-each.js'
import { pingFloor } from './ping-floor.js'
import { pingGet } from './ping-get.js'
import { pingPost } from './ping-post.js'
import { pingSlug } from './ping-slug.js'
import { reads } from './reads.js'
import { slowReceiver } from './slow-receiver.js'
import { start } from './start.js'
import { storage } from './storage.js'
import { storm } from './storm.js'
import { stormDependants } from './storm-dependants.js'
import { strangers } from './strangers.js'
import { streams } from './streams.js'

/** Every case, in the order in which they are measured. */
export const cases: readonly Case[] = [
  pingGet,
  pingPost,
  pingSlug,
  pingEach,
  pingClosing,
  pingFloor,
  storage,
  million,
  beside,
  streams,
  listChecks,
  nativeList,
  dashboard,
  pages,
  reads,
  createChecks,
  nativeBatch,
  alert,
  storm,
  stormDependants,
  slowReceiver,
  fair,
  flappingParent,
  neighbours,
  largest,
  strangers,
  start,
  exec,
]
