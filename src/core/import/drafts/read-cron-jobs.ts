/**
 * CronJobs of Kubernetes, as `kubectl get cronjobs --all-namespaces --output yaml` prints them or as files have them.
 * Source: https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/.
 */
import { isObject } from '../../config/config-field.js'
import type { Json } from '../../config/project-config.js'
import { graceOf, graceOfPeriod } from '../../discover/proposed-check.js'
import { readTimeSpan } from '../../discover/read-unit.js'
import { canonicalZone } from '../../schedule/index.js'
import { CRON_SHORTHANDS } from '../../schedule/schedule-problem.js'
import { Draft, scheduleField, textIn } from './draft.js'

type Fields = { readonly [name: string]: Json }

/** Fields of `spec` that are read, or do not matter to whether a job runs in time. */
const READ = new Set([
  ...['schedule', 'timeZone', 'suspend', 'startingDeadlineSeconds', 'concurrencyPolicy', 'jobTemplate'],
  ...['successfulJobsHistoryLimit', 'failedJobsHistoryLimit'],
])

/** Fields of a job that are read, or only say what runs. */
const READ_OF_JOB = new Set([
  ...['activeDeadlineSeconds', 'backoffLimit', 'template', 'ttlSecondsAfterFinished', 'completionMode'],
  ...['parallelism', 'completions', 'selector', 'manualSelector', 'suspend'],
])

/** A draft of all CronJobs in the documents of a file. `now`: in ms. */
export function readCronJobs(documents: readonly Json[], now: number): Draft {
  const draft = new Draft()
  for (const [index, document] of documents.entries()) {
    if (!isObject(document)) {
      if (document !== null) draft.note(`document ${index + 1}`, 'It is not an object of Kubernetes.')
      continue
    }
    const objects = Array.isArray(document.items) ? document.items : [document]
    for (const object of objects) if (isObject(object)) addObject(draft, object, now)
  }
  return draft
}

function addObject(draft: Draft, object: Fields, now: number): void {
  const { name, namespace } = fieldsOf(object.metadata)
  const [kind, called, space] = [object.kind, name, namespace].map(textIn) as [string, string, string]
  if (kind !== 'CronJob') {
    draft.note(`${kind || 'object'} ${called}`.trim(), 'It was left out: not a CronJob.')
    return
  }
  const spec = fieldsOf(object.spec)
  const subject = space === '' ? called : `${space}/${called}`
  if (called === '') {
    draft.note('CronJob', 'It was left out: it has no name.')
    return
  }
  const [, inSchedule, written] = /^(?:(?:CRON_)?TZ=(\S+)\s+)?(.*)$/s.exec(textIn(spec.schedule).trim())!
  const delay = Math.min(Number(spec.startingDeadlineSeconds ?? 0) || 0, 86_400)
  const when = whenOf(written!)
  if (typeof when === 'string') {
    draft.note(subject, `It was left out: ${when}`)
    return
  }
  const zone = textIn(spec.timeZone) || inSchedule || ''
  const timezone = canonicalZone(zone || 'UTC') ?? 'UTC'
  const grace = 'cron' in when ? graceOf(when.cron, timezone, delay, now) : graceOfPeriod(when.period, delay)
  const job = fieldsOf(fieldsOf(spec.jobTemplate).spec)
  const key = draft.addCheck(space === '' || space === 'default' ? called : `${space}-${called}`, {
    name: space === '' || space === 'default' ? called : `${space} ${called}`,
    ...when,
    timezone,
    grace,
    max_duration: job.activeDeadlineSeconds,
    tags: ['kubernetes', ...(space === '' ? [] : [space])],
  })
  if (canonicalZone(zone || 'UTC') === null)
    draft.note(key, `spec.timeZone ${zone} is not a time zone that is known here; UTC is used.`)
  if (zone === '') draft.note(key, 'It has no spec.timeZone, so the cluster decides; here it is UTC.')
  noteRest(draft, key, spec, job)
}

/** When a job runs, or why that cannot be said. */
function whenOf(schedule: string): { cron: string } | { period: number } | string {
  const every = /^@every\s+(.+)$/.exec(schedule)?.[1]
  if (every !== undefined) {
    const seconds = readTimeSpan(every)
    return seconds === null
      ? `@every ${every} is not understood.`
      : { period: Math.max(Math.round(seconds), 60) }
  }
  // Kubernetes reads `?` as any value.
  const field = scheduleField(CRON_SHORTHANDS[schedule.toLowerCase()] ?? schedule.replaceAll('?', '*'))
  if (typeof field === 'string') return `its schedule “${schedule}” is not understood. ${field}`
  return 'cron' in field ? field : `its schedule “${schedule}” is not a cron expression.`
}

function noteRest(draft: Draft, key: string, spec: Fields, job: Fields): void {
  if (spec.suspend === true)
    draft.note(key, `It is suspended; here \`punctual checks pause ${key}\` keeps it from going down.`)
  const policy = textIn(spec.concurrencyPolicy)
  if (policy === 'Forbid')
    draft.note(key, 'concurrencyPolicy Forbid: a run that is skipped sends nothing, so it counts as missed.')
  else if (policy === 'Replace')
    draft.note(key, 'concurrencyPolicy Replace: a run that is replaced sends nothing; the next one does.')
  else if (policy === 'Allow')
    draft.note(key, 'concurrencyPolicy Allow: if runs overlap and send run IDs, set track_runs to each.')
  if (Number(job.backoffLimit ?? 0) > 0)
    draft.note(key, `backoffLimit ${job.backoffLimit}: each try that reports a failure counts as one here.`)
  for (const name of Object.keys(spec))
    if (!READ.has(name)) draft.note(key, `spec.${name} was not carried over.`)
  for (const name of Object.keys(job))
    if (!READ_OF_JOB.has(name)) draft.note(key, `spec.jobTemplate.spec.${name} was not carried over.`)
}

function fieldsOf(value: Json | undefined): Fields {
  return isObject(value) ? value : {}
}
