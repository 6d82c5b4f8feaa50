import assert from 'node:assert/strict'
import { openServices } from '../servers/services.js'
import { ownChannels } from './own-channels.js'
import { openWebWorld, type Person } from './web-world.js'

/** A web world with these settings of the operator, and the services at `origins`, which a recorder replaces. */
export async function openConnectWorld(
  origins: readonly string[],
  operator: Readonly<Record<string, string>>,
) {
  const services = await openServices(origins, {})
  const world = await openWebWorld({ delivery: { operator, routes: services.routes } })
  const { alice, project, store, config } = world
  const list = `/projects/${project.uuid}/integrations/`
  const add = (kind: string) => `${list}add/${kind}/`
  const channelsOf = (kind: string, projectId = project.id) => ownChannels(store, projectId, kind)
  return {
    ...world,
    services,
    /** The page of the project's integrations. */
    list,
    /** The page for adding a channel of a kind. */
    add,
    channelsOf,
    newest: async (kind: string, projectId = project.id) => (await channelsOf(kind, projectId)).at(-1),
    /** Starts connecting, and returns the address at the service. */
    async setOut(kind: string, who: Person = alice): Promise<URL> {
      const { status, location } = await who.get(`${add(kind)}connect/`)
      assert.equal(status, 302)
      return new URL(location!)
    },
    /** The path of an address of ours, with its query. */
    pathOf(url: string): string {
      assert.ok(url.startsWith(config.SITE_ROOT), url)
      return url.slice(config.SITE_ROOT.length)
    },
    /** The text of the page to which a user is led. */
    async flashOf(location: string | null, who: Person = alice): Promise<string> {
      const { text } = await who.get(location!)
      return /<div class="flash [^>]*>\s*<p>([^<]*)/.exec(text)?.[1] ?? ''
    },
  }
}
