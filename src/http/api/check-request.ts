/** From the fields of a request to what is asked of the store. */
import type { CheckChanges } from '../../core/checks/check-changes.js'
import { slugify } from '../../core/checks/slugify.js'
import { canonicalZone } from '../../core/schedule/index.js'
import type { ApiVersion } from '../../core/wire/version.js'
import type { AskedCheck, UniqueValues } from '../../storage/checks/change-checks.js'
import type { CheckFields } from './check-fields.js'

/** What `fields` ask of a check. Versions 1 and 2 make a slug of the name where none is sent. */
export function askedCheck(fields: CheckFields, version: ApiVersion, now: number): AskedCheck {
  const slug = fields.slug ?? (version < 3 && fields.name !== undefined ? slugify(fields.name) : undefined)
  const changes = {
    desc: fields.desc,
    failureKw: fields.failure_kw,
    filterSubject: fields.filter_subject,
    filterBody: fields.filter_body,
    filterHttpBody: fields.filter_http_body,
    filterDefaultFail: fields.filter_default_fail,
    graceSeconds: fields.grace,
    manualResume: fields.manual_resume,
    methods: fields.methods,
    name: fields.name,
    schedule: fields.schedule,
    slug,
    startKw: fields.start_kw,
    subject: fields.subject,
    subjectFail: fields.subject_fail,
    successKw: fields.success_kw,
    tags: fields.tags,
    periodSeconds: fields.timeout,
    tz: fields.tz === undefined ? undefined : canonicalZone(fields.tz)!,
  }
  return { changes: withoutUndefined(changes), channels: fields.channels, now }
}

/**
 * The values that an upsert looks for; null where it asks for none, or for a field that it does not send: then a
 * check is made. Source: section 4.5 of the behaviour.
 */
export function uniqueValues(fields: CheckFields): UniqueValues | null {
  const unique = new Set(fields.unique)
  if (unique.size === 0 || [...unique].some(field => fields[field] === undefined)) return null
  return withoutUndefined({
    name: unique.has('name') ? fields.name : undefined,
    slug: unique.has('slug') ? fields.slug : undefined,
    tags: unique.has('tags') ? fields.tags : undefined,
    periodSeconds: unique.has('timeout') ? fields.timeout : undefined,
    graceSeconds: unique.has('grace') ? fields.grace : undefined,
  })
}

function withoutUndefined(
  values: {
    [K in keyof CheckChanges]: CheckChanges[K] | undefined
  },
): CheckChanges {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
