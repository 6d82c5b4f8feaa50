/** Imports people, their passkeys, projects, keys and roles, in one transaction. */
import { randomUUID } from 'node:crypto'
import {
  hasSignedIn,
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
import {
  broughtBefore,
  ENDED,
  forgetAccount,
  memberName,
  noteBrought,
  personName,
  type SourceName,
} from './brought.js'
import { allRows, dbOf, type Import, inTransaction, nextId } from './context.js'
import { type Progress, saveProgress } from './progress.js'

export async function importPeople(job: Import, progress: Progress): Promise<void> {
  const { source, target } = job
  const users = await allRows(source, 'auth_user')
  const profiles = new Map((await allRows(source, 'accounts_profile')).map(row => [row.user_id, row]))
  const projects = await allRows(source, 'accounts_project')
  const work = async () => {
    // From now on the projects are known, also to an import that continues this one.
    if (target) await saveProgress(target, progress, {})
    for (const user of users) await importPerson(job, user, profiles.get(user.id))
    await noteInvitations(job, users)
    for (const passkey of await allRows(source, 'accounts_credential')) await importPasskey(job, passkey)
    const usersById = new Map(users.map(user => [user.id, user]))
    for (const project of projects) await importProject(job, project, usersById.get(project.owner_id!))
    const projectsById = new Map(projects.map(project => [project.id, project]))
    for (const member of await allRows(source, 'accounts_member')) {
      await importMember(job, member, projectsById.get(member.project_id!), usersById.get(member.user_id!))
    }
  }
  await (target ? inTransaction(target, work) : work())
}

/** Healthchecks makes an account and a member for an invitation; its link is of no use here. */
async function noteInvitations(
  { source, report }: Import,
  users: readonly SourceRow<'auth_user'>[],
): Promise<void> {
  const invited = new Set((await allRows(source, 'accounts_member')).map(({ user_id }) => user_id))
  for (const user of users) {
    if (!invited.has(user.id) || hasSignedIn(user)) continue
    report.note(
      `the invitation of ${user.email}`,
      'the link in it ends: this person, who never signed in, is a member here and signs in by a link from the sign-in page',
    )
  }
}

async function importPerson(
  job: Import,
  user: SourceRow<'auth_user'>,
  profile: SourceRow<'accounts_profile'> | undefined,
): Promise<void> {
  const { target, rules, report } = job
  const person = mapPerson(user, profile, rules.canVerify, report.note)
  if (!person || !target) return
  const subject = `the account ${person.email}`
  const before = await broughtBefore(target, personName(user))
  if (before) {
    if (await isAccount(target, before.userId)) job.ids.users.set(user.id!, before.userId!)
    else report.note(subject, `left out: ${ENDED}`)
    return
  }
  const { sql } = target
  const known = await sql
    .selectFrom('users')
    .select(['id', 'disabled_at', 'email_proven_at'])
    .where('email', '=', person.email)
    .executeTakeFirst()
  if (known && known.email_proven_at === null && !person.proven) {
    return report.note(subject, 'left out: it exists here already, and nobody has proven its address')
  }
  const proof = { email: person.email, now: rules.now, evenDisabled: true }
  const ended = known && (await handOverAccount(dbOf(target), { userId: known.id, ...proof }))
  if (known && !ended) {
    report.note(subject, 'exists here already: its password, second steps and settings stay as they are')
    return await setAccount(job, user, known.id)
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
    await forgetAccount(target, id)
    for (const [other, account] of job.ids.users) if (account === id) job.ids.users.delete(other)
    if (hasEnded(ended)) await queueMails(dbOf(target), [id], rules.handedOverMail, rules.now)
    report.note(subject, handedOverNote(ended, known.disabled_at !== null))
  } else report.add('users')
  if (person.totpSecret !== null) {
    const sealed = rules.sealTotp(id, person.totpSecret)
    await sql.updateTable('users').set({ totp_secret: sealed }).where('id', '=', id).execute()
  }
  await setAccount(job, user, id)
  job.opened.add(user.id!)
}

async function isAccount({ sql }: Side, id: number | null): Promise<boolean> {
  return (await sql.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

async function setAccount({ target, ids }: Import, user: SourceRow<'auth_user'>, id: number): Promise<void> {
  ids.users.set(user.id!, id)
  await noteBrought(target!, personName(user), id)
}

function handedOverNote({ toReview }: EndedCredentials, isDisabled: boolean): string {
  const enabled = isDisabled ? ' as soon as you enable it: it was disabled here, and stays so' : ''
  const others =
    toReview > 0
      ? '; others may still have access to its projects, or it to theirs: its owner is shown that at the next sign-in'
      : ''
  return `exists here already, but nobody had proven its address: what opened it has ended, and what opened it in Healthchecks opens it${enabled}${others}`
}

/** Returns the ID. */
async function addPerson(target: Side, { email, createdAt, proven }: ImportedPerson): Promise<number> {
  const { id } = await target.sql
    .insertInto('users')
    .values({
      ...(await nextId(target, 'users')),
      uuid: randomUUID(),
      email,
      created_at: createdAt,
      email_proven_at: proven ? createdAt : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Of an account that is here already, what opens it stays as it is: only its owner adds a second step. */
async function importPasskey(
  { target, report, ids, opened }: Import,
  row: SourceRow<'accounts_credential'>,
): Promise<void> {
  const passkey = mapPasskey(row.data)
  if (!passkey) return report.note(`the passkey ${row.name}`, 'not carried over: it cannot be read')
  const userId = ids.users.get(row.user_id!)
  if (!target || userId === undefined || !opened.has(row.user_id!)) return
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
  job: Import,
  row: SourceRow<'accounts_project'>,
  owner: SourceRow<'auth_user'> | undefined,
): Promise<void> {
  const { target, rules, report, ids } = job
  if (!target) return
  const { sql } = target
  const name: SourceName = ['project', row.code!]
  const known = await sql.selectFrom('projects').select('id').where('uuid', '=', row.code!).executeTakeFirst()
  if (known) {
    ids.projects.set(row.id!, known.id)
    await noteOwner(job, row, owner)
    return await noteBrought(target, name)
  }
  if (await broughtBefore(target, name)) {
    return report.note(`the project ${row.name || row.code}`, `left out with what is in it: ${ENDED}`)
  }
  await noteBrought(target, name)
  const createdAt = milliseconds(owner?.date_joined ?? null) ?? rules.now
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
  await noteOwner(job, row, owner)
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

/** After transfers here and there, a former owner who was removed here is a member there. */
async function noteOwner(
  { target, ids }: Import,
  project: SourceRow<'accounts_project'>,
  owner: SourceRow<'auth_user'> | undefined,
): Promise<void> {
  const [projectId, userId] = [ids.projects.get(project.id!), owner && ids.users.get(owner.id!)]
  if (!owner || projectId === undefined || userId === undefined) return
  if (await isInProject(target!, projectId, userId)) await noteBrought(target!, memberName(project, owner))
}

async function importMember(
  { target, rules, report, ids }: Import,
  row: SourceRow<'accounts_member'>,
  project: SourceRow<'accounts_project'> | undefined,
  user: SourceRow<'auth_user'> | undefined,
): Promise<void> {
  const subject = `a member of the project ${project?.name || project?.code}`
  if (row.transfer_request_date !== null) report.note(subject, 'was offered the project: offer it again')
  const role = mapRole(row.role)
  if (role === null) return report.note(subject, `not carried over: the role ${row.role} is not known`)
  const [projectId, userId] = [ids.projects.get(row.project_id!), ids.users.get(row.user_id!)]
  if (!target || !project || !user || projectId === undefined || userId === undefined) return
  const name = memberName(project, user)
  if (await broughtBefore(target, name)) {
    if (!(await isInProject(target, projectId, userId)))
      report.note(`${user.email} as ${subject}`, `left out: ${ENDED}`)
    return
  }
  await noteBrought(target, name)
  if (await addMember(target, { projectId, userId, role, now: rules.now })) report.add('members')
}

async function isInProject({ sql }: Side, projectId: number, userId: number): Promise<boolean> {
  const member = sql
    .selectFrom('members')
    .select('user_id')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
  const owner = sql
    .selectFrom('projects')
    .select('owner_id')
    .where('id', '=', projectId)
    .where('owner_id', '=', userId)
  return ((await member.executeTakeFirst()) ?? (await owner.executeTakeFirst())) !== undefined
}

/** Returns false, and adds nothing, if the person is in the project already. */
async function addMember(
  side: Side,
  member: { projectId: number; userId: number; role: 'manager' | 'member' | 'readonly'; now: number },
): Promise<boolean> {
  if (await isInProject(side, member.projectId, member.userId)) return false
  await side.sql
    .insertInto('members')
    .values({
      project_id: member.projectId,
      user_id: member.userId,
      role: member.role,
      created_at: member.now,
    })
    .execute()
  return true
}
