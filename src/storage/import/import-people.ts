/** Imports people, their passkeys, projects, keys and roles, in one transaction. */
import { randomUUID } from 'node:crypto'
import {
  type ImportedPerson,
  mapKeys,
  mapPasskey,
  mapPerson,
  mapRole,
  milliseconds,
} from '../../core/import/map-people.js'
import type { SourceRow } from '../../core/import/source-schema.js'
import type { Side } from '../copy/side.js'
import { queueMails } from '../people/mails.js'
import { type EndedCredentials, handOverAccount, hasEnded } from '../people/prove-address.js'
import { allRows, dbOf, type Import, inTransaction, nextId } from './context.js'

export async function importPeople(job: Import): Promise<void> {
  const { source, target } = job
  const users = await allRows(source, 'auth_user')
  const profiles = new Map((await allRows(source, 'accounts_profile')).map(row => [row.user_id, row]))
  const projects = await allRows(source, 'accounts_project')
  const work = async () => {
    for (const user of users) await importPerson(job, user, profiles.get(user.id))
    await noteInvitations(job, users)
    for (const passkey of await allRows(source, 'accounts_credential')) await importPasskey(job, passkey)
    const joined = new Map(users.map(user => [user.id, milliseconds(user.date_joined)]))
    for (const project of projects) await importProject(job, project, joined.get(project.owner_id) ?? null)
    for (const member of await allRows(source, 'accounts_member')) await importMember(job, member, projects)
  }
  await (target ? inTransaction(target, work) : work())
}

/** Healthchecks makes an account and a member for an invitation; its link is of no use here. */
async function noteInvitations(
  { source, report }: Import,
  users: readonly SourceRow<'auth_user'>[],
): Promise<void> {
  const invited = new Set((await allRows(source, 'accounts_member')).map(({ user_id }) => user_id))
  for (const { id, email, last_login, password } of users) {
    const hasPassword = password !== null && password !== '' && !password.startsWith('!')
    if (!invited.has(id) || last_login !== null || hasPassword) continue
    report.note(
      `the invitation of ${email}`,
      'the link in it ends: this person, who never signed in, is a member here and signs in by a link from the sign-in page',
    )
  }
}

async function importPerson(
  { target, rules, report, ids }: Import,
  user: SourceRow<'auth_user'>,
  profile: SourceRow<'accounts_profile'> | undefined,
): Promise<void> {
  const person = mapPerson(user, profile, rules.canVerify, report.note)
  if (!person || !target) return
  const { sql } = target
  const known = await sql
    .selectFrom('users')
    .select(['id', 'imported_name as name', 'disabled_at'])
    .where('email', '=', person.email)
    .executeTakeFirst()
  const proof = { email: person.email, now: rules.now, evenDisabled: true }
  const ended = known && (await handOverAccount(dbOf(target), { userId: known.id, ...proof }))
  if (known && !ended) {
    if (known.name !== person.importedName) {
      report.note(
        `the account ${person.email}`,
        'exists here already: its password and settings stay as they are',
      )
    }
    ids.users.set(user.id!, known.id)
    return
  }
  const values = {
    imported_name: person.importedName,
    password_hash: person.passwordHash,
    timezone: person.timezone,
    theme: person.theme,
    reports: person.reports,
    nag_s: person.nagSeconds,
    next_report_at: person.nextReportAt,
    next_nag_at: person.nextNagAt,
    disabled_at: known?.disabled_at ?? (person.active ? null : rules.now),
  }
  const id = known?.id ?? (await addPerson(target, person))
  await sql.updateTable('users').set(values).where('id', '=', id).execute()
  if (known && ended) {
    if (hasEnded(ended)) await queueMails(dbOf(target), [id], rules.handedOverMail, rules.now)
    report.note(`the account ${person.email}`, handedOverNote(ended, known.disabled_at !== null))
  } else report.add('users')
  if (person.totpSecret !== null) {
    const sealed = rules.sealTotp(id, person.totpSecret)
    await sql.updateTable('users').set({ totp_secret: sealed }).where('id', '=', id).execute()
  }
  ids.users.set(user.id!, id)
}

function handedOverNote({ toReview }: EndedCredentials, isDisabled: boolean): string {
  const enabled = isDisabled ? ' as soon as you enable it: it was disabled here, and stays so' : ''
  const others =
    toReview > 0
      ? '; others may still have access to its projects, or it to theirs: its owner is shown that at the next sign-in'
      : ''
  return `exists here already, but nobody had proven its address: what opened it has ended, and what opened it in Healthchecks opens it${enabled}${others}`
}

/** The address is proven: Healthchecks let people in only by a link that it sent them. Returns the ID. */
async function addPerson(target: Side, { email, createdAt }: ImportedPerson): Promise<number> {
  const { id } = await target.sql
    .insertInto('users')
    .values({
      ...(await nextId(target, 'users')),
      uuid: randomUUID(),
      email,
      created_at: createdAt,
      email_proven_at: createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function importPasskey(
  { target, report, ids }: Import,
  row: SourceRow<'accounts_credential'>,
): Promise<void> {
  const passkey = mapPasskey(row.data)
  if (!passkey) return report.note(`the passkey ${row.name}`, 'not carried over: it cannot be read')
  const userId = ids.users.get(row.user_id!)
  if (!target || userId === undefined) return
  const added = await target.sql
    .insertInto('passkeys')
    .values({
      uuid: row.code!,
      user_id: userId,
      credential_id: Buffer.from(passkey.id).toString('base64url'),
      public_key: passkey.publicKey,
      counter: 0,
      transports: '',
      name: row.name ?? '',
      created_at: milliseconds(row.created) ?? 0,
      used_at: null,
    })
    .onConflict(oc => oc.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added) report.add('passkeys')
}

async function importProject(
  { target, rules, report, ids }: Import,
  row: SourceRow<'accounts_project'>,
  joinedAt: number | null,
): Promise<void> {
  if (!target) return
  const { sql } = target
  const known = await sql.selectFrom('projects').select('id').where('uuid', '=', row.code!).executeTakeFirst()
  if (known) {
    ids.projects.set(row.id!, known.id)
    return
  }
  const createdAt = joinedAt ?? rules.now
  const { id } = await sql
    .insertInto('projects')
    .values({
      ...(await nextId(target, 'projects')),
      uuid: row.code!,
      owner_id: ids.users.get(row.owner_id!) ?? null,
      name: row.name ?? '',
      ping_key: row.ping_key || null,
      badge_key: row.badge_key!,
      created_at: createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  ids.projects.set(row.id!, id)
  report.add('projects')
  for (const key of mapKeys(row)) {
    await sql
      .insertInto('api_keys')
      .values({
        ...(await nextId(target, 'api_keys')),
        project_id: id,
        kind: key.kind,
        digest: key.hashed ? key.value : rules.digestOf(key.value),
        hint: key.hint,
        created_at: createdAt,
      })
      .execute()
    report.add('API keys')
  }
}

async function importMember(
  { target, rules, report, ids }: Import,
  row: SourceRow<'accounts_member'>,
  projects: readonly SourceRow<'accounts_project'>[],
): Promise<void> {
  const project = projects.find(({ id }) => id === row.project_id)
  const subject = `a member of the project ${project?.name || project?.code}`
  if (row.transfer_request_date !== null) report.note(subject, 'was offered the project: offer it again')
  const role = mapRole(row.role)
  if (role === null) return report.note(subject, `not carried over: the role ${row.role} is not known`)
  const [projectId, userId] = [ids.projects.get(row.project_id!), ids.users.get(row.user_id!)]
  if (!target || projectId === undefined || userId === undefined) return
  if (await addMember(target, { projectId, userId, role, now: rules.now })) report.add('members')
}

async function addMember(
  side: Side,
  member: { projectId: number; userId: number; role: 'manager' | 'member' | 'readonly'; now: number },
): Promise<boolean> {
  const added = await side.sql
    .insertInto('members')
    .values({
      project_id: member.projectId,
      user_id: member.userId,
      role: member.role,
      created_at: member.now,
    })
    .onConflict(oc => oc.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return added !== undefined
}
