import { Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { Refusal } from '../../core/errors.js'
import { type AtOnce, FairQueue } from '../../lib/fair/fair-queue.js'
import { SpacedQueue } from '../../lib/fair/spaced-queue.js'
import type { AccessLook } from '../../storage/events/acting.js'
import { accessLook, actingDeps } from '../acting-deps.js'
import type { AppDeps } from '../deps.js'
import { basePath } from '../url.js'
import { lookAgain, ProjectsChanged } from './access.js'
import { actorOf } from './actor.js'
import { RowCache } from './checks/list/row-cache.js'
import { compressPages } from './compress-pages.js'
import { type Handler, path, seeOther, type WebContext, type WebEnv } from './context.js'
import { checkCsrf } from './csrf.js'
import { setFlash } from './flash.js'
import { formOf } from './form.js'
import { LiveStreams } from './live/live-streams.js'
import { pageHeaders } from './page-headers.js'
import { ProofNeeded } from './people/proof.js'
import { REVIEW_PATH } from './people/review.js'
import { confirmSession, loadSession, requireUser, SignInNeeded } from './people/session.js'
import { requireSecondStep, SecondStepNeeded } from './people/sign-in/required-second-step.js'
import type { WebRoute } from './route.js'
import { routes } from './routes.js'
import { noteRefusal, noteSuccess } from './security.js'
import { serveStatic } from './static.js'
import { visitorOf } from './visitor.js'

export type Pages = Hono<WebEnv>

/** The maximum size in bytes of a form from a user who is signed in or with a signed address, and from others. */
const FORM_LIMIT = 262_144
const OPEN_FORM_LIMIT = 16_384

/**
 * How many pages are made at once: each takes the event loop for some milliseconds, and pings and alerts need several of its turns. One that waits
 * longer than a page takes, such as for a test notification, holds up no other.
 */
const PAGES_AT_ONCE: AtOnce = { inAll: 4, perKey: 2, longestMs: 100 }

/** How long a stream waits for its refusal: scripts that ask again at once would take the time of all others. */
const REFUSED_AFTER_MS = 1_000

/**
 * The turns in which pages are made, and those in which streams of live pages begin: these read the whole page, are opened by scripts, and together
 * have half of the time.
 */
interface PageTurns {
  pages: FairQueue<string>
  streams: SpacedQueue<string>
}

/** The web application: the middleware of every page, and the table of routes. */
export function createPages(deps: AppDeps): Pages {
  const pages: Pages = new Hono()
  const base = basePath(deps.config.SITE_ROOT)
  const streams = new LiveStreams()
  const rows = new RowCache()
  const turns = { pages: new FairQueue<string>(PAGES_AT_ONCE), streams: new SpacedQueue<string>() }
  pages.use(pageHeaders)
  pages.use(compressPages)
  pages.get('/static/*', serveStatic)
  for (const route of routes) {
    const answer = guarded(route, turns)
    pages.on(route.method, route.path, c => {
      c.set('deps', deps)
      c.set('base', base)
      c.set('route', route.path)
      c.set('streams', streams)
      c.set('rows', rows)
      c.set('needed', [])
      c.set('listed', new Map())
      return answer(c)
    })
  }
  return pages
}

/**
 * Before a handler is called, the session is loaded. A visitor without one waits for a turn, and is then sent to sign in
 * unless the route is open. A POST must contain a CSRF token unless its address is signed. A form can take a minute to
 * arrive, so the session is checked again after that.
 */
function guarded(route: WebRoute, turns: PageTurns): Handler {
  return async c => {
    try {
      await loadSession(c)
      if (!c.var.session) await c.var.deps.anonymous.turn(c.env.incoming)
      if (!route.open) requireUser(c)
      if (route.live && !takesStream(c)) {
        await leftOrPassed(c, REFUSED_AFTER_MS)
        return c.text('too many live pages are open at once', 429)
      }
      // A request that announces no body needs no limit.
      const hasBody = announcesBody(c.req.raw.headers)
      if (hasBody) await limitForm(c, c.var.session !== null || route.signed === true)
      if (route.method === 'POST' && !route.signed) {
        await checkCsrf(c)
        if (hasBody) {
          // The form is read to its end first, so that handlers, which check the user's rights themselves, wait for
          // nothing more.
          await formOf(c)
          await confirmSession(c)
        }
      }
      await requireSecondStep(c, route)
      if (mustReview(c, route)) return seeOther(c, REVIEW_PATH)
      const look = c.var.session ? accessLook(lookAgain(c)) : undefined
      c.set('deps', actingDeps(c.var.deps, actorOf(c), c.env.outgoing, look))
      const answer = await turns[route.live ? 'streams' : 'pages'].run(askerOf(c), async () => {
        if (c.req.method === 'GET' && c.env.outgoing.destroyed)
          throw new Refusal('gone', 'nobody waits for the page')
        return await answerOf(c, route, look)
      })
      if (answer.status < 400) await noteSuccess(c, answer.status)
      return answer
    } catch (error) {
      if (error instanceof SecondStepNeeded) {
        setFlash(c, 'bad', 'A second step is required here: set one up first.')
        return seeOther(c, '/accounts/totp/')
      }
      if (error instanceof ProofNeeded) return seeOther(c, `/accounts/confirm/${backTo(c)}`)
      if (!(error instanceof SignInNeeded)) {
        await noteRefusal(c, error)
        throw error
      }
      return c.redirect(path(c, `/accounts/login/${backTo(c)}`), 302)
    }
  }
}

/**
 * Whether the page is not shown before the user has seen who else has access to the account. What scripts fetch is: if they were led to
 * the review, it would count as seen.
 */
function mustReview(c: WebContext, route: WebRoute): boolean {
  if (!c.var.session?.user.toReview || route.method === 'POST' || route.live) return false
  if (route.open || route.setsUpSecondStep || route.path === REVIEW_PATH) return false
  return (c.req.header('Sec-Fetch-Dest') ?? 'document') === 'document'
}

/** Whose turns a request takes. */
function askerOf(c: WebContext): string {
  return c.var.session?.user.uuid ?? visitorOf(c).address ?? ''
}

/** How often a page is made at most while the reader's projects keep changing. */
const MOST_TIMES = 3

/** The answer of the handler. A page that has waited is made anew if the reader's projects are not those that it shows any more. */
async function answerOf(c: WebContext, route: WebRoute, look: AccessLook | undefined): Promise<Response> {
  if (!look || route.method === 'POST' || route.live) return await route.handle(c)
  for (let times = 1; ; times++) {
    try {
      const answer = await route.handle(c)
      await look.requireAccess()
      return answer
    } catch (error) {
      if (!(error instanceof ProjectsChanged) || times === MOST_TIMES) throw error
      c.set('needed', [])
      c.set('listed', new Map())
    }
  }
}

/**
 * Counts a stream until its response ends; false if too many are open. Called before the page is read from the
 * database, which is most of the cost of a stream. It is not logged as a refusal, because the browser fetches the page
 * periodically instead.
 */
function takesStream(c: WebContext): boolean {
  const leave = c.var.streams.open(requireUser(c).user.id, performance.now())
  if (leave) c.env.outgoing.once('close', leave)
  return leave !== null
}

/** Resolves after this time, or as soon as nobody waits for the answer any more. */
async function leftOrPassed({ env: { outgoing } }: WebContext, ms: number): Promise<void> {
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, ms)
    outgoing.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Lets a form be read, or throws a `Refusal` for a body that is too large. `known`: the sender is signed in or the address is signed. */
async function limitForm(c: WebContext, known: boolean): Promise<void> {
  const length = c.req.header('Content-Length')
  // With an announced length the body is not touched, because a body that is read only partly delays the response.
  if (length === undefined) await (known ? limitKnownForm : limitOpenForm)(c, async () => {})
  else if (Number(length) > (known ? FORM_LIMIT : OPEN_FORM_LIMIT)) throw tooLarge()
  c.set('isFormLimited', true)
}

const [limitKnownForm, limitOpenForm] = [FORM_LIMIT, OPEN_FORM_LIMIT].map(maxSize =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw tooLarge()
    },
  }),
) as [MiddlewareHandler, MiddlewareHandler]

function tooLarge(): Refusal {
  return new Refusal('invalid', 'the form is too large')
}

/** The query that leads the visitor back to the requested page; empty after a form. */
function backTo(c: WebContext): string {
  return c.req.method === 'GET' ? `?next=${encodeURIComponent(c.req.path)}` : ''
}

function announcesBody(headers: Headers): boolean {
  return headers.has('Content-Length') || headers.has('Transfer-Encoding')
}
