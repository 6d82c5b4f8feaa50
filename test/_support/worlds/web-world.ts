/**
 * The world of the tests through pages: a real server and five people with browsers. Alice owns a project; Mike
 * manages it, Bob is a member, Rita reads only; Charlie has a project of his own and must see nothing of hers.
 */
import { beginSession } from '../../../src/actions/people/sign-in/begin-session.js'
import { slugify } from '../../../src/core/checks/slugify.js'
import type { MemberRole } from '../../../src/core/people/role.js'
import { SESSION_COOKIE } from '../../../src/http/web/people/session.js'
import { hashPassword } from '../../../src/lib/secrets/password.js'
import { newPingKey } from '../../../src/lib/secrets/secrets.js'
import { Visitor } from '../browser/visitor.js'
import { openWorld, type WorldOptions } from './world.js'

/** The password of all users. */
export const PASSWORD = 'correct horse'

/** Hashing is slow on purpose; once a file is enough. */
// Cheap, because every file of tests makes it, and every sign-in checks it.
const passwordHash = hashPassword(PASSWORD, { ln: 4, r: 8, p: 1 })

export type WebWorld = Awaited<ReturnType<typeof openWebWorld>>

/** Opens the world of a test file, with all users signed in. It closes after the file's tests. */
export async function openWebWorld(options: WorldOptions = {}) {
  const world = await openWorld(options)
  const { store, clock, root } = world

  async function person(name: string): Promise<Person> {
    const email = `${name}@example.org`
    const user = await store.people.createUser({
      email,
      passwordHash: await passwordHash,
      emailProven: true,
      now: clock.now(),
    })
    const browser = new Visitor(root)
    const visitor = { ua: 'node', address: '127.0.0.1' }
    // Not through the form: checking a password is slow on purpose, and sign-in.test.ts does it.
    const token = await beginSession(store, clock, { user, method: 'password', visitor })
    browser.cookies.set(SESSION_COOKIE, token)
    return Object.assign(browser, { id: user.id, uuid: user.uuid, email })
  }

  async function projectOf(owner: Person, name: string) {
    return await store.projects.create({ name, ownerId: owner.id, pingKey: newPingKey(), now: clock.now() })
  }

  const [alice, mike, bob, rita, charlie] = (await Promise.all(
    ['alice', 'mike', 'bob', 'rita', 'charlie'].map(person),
  )) as [Person, Person, Person, Person, Person]
  const project = await projectOf(alice, 'Alice’s jobs')
  const charlies = await projectOf(charlie, 'Charlie’s jobs')
  const roles: [Person, MemberRole][] = [
    [mike, 'manager'],
    [bob, 'member'],
    [rita, 'readonly'],
  ]
  for (const [{ id }, role] of roles) {
    await store.projects.putMember({ projectId: project.id, userId: id, role, now: clock.now() })
  }

  return {
    ...world,
    alice,
    mike,
    bob,
    rita,
    charlie,
    /** Alice's, with Mike, Bob and Rita. */
    project,
    /** Charlie's own. */
    charlies,
    person,
    projectOf,
    /** A visitor who is not signed in. */
    stranger: (headers?: Record<string, string>) => new Visitor(root, headers),
    /** Makes a check in a project (Alice's unless another is given) and returns its UUID. */
    async addCheck(name: string, projectId = project.id): Promise<string> {
      const asked = { changes: { name, slug: slugify(name) }, unique: null, now: clock.now() }
      return (await store.checks.create(projectId, asked)).check.uuid
    },
  }
}

/** A user who is signed in. */
export type Person = Visitor & { id: number; uuid: string; email: string }
