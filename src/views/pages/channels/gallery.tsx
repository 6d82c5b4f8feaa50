import { Disclosure } from '../../components/disclosure.js'
import { InlineCode } from '../../components/inline-code.js'
import { Logo } from '../../components/logo.js'
import { link, type PageContext } from '../../page-context.js'

/** A kind that may be added. */
export interface KindCard {
  kind: string
  label: string
  help: string
  logo: string
  /** The background of the logo; null for the usual one. */
  colour: string | null
  popular: boolean
  category: 'anything' | 'chat' | 'device' | 'on-call' | 'work'
  /** Whether the operator has not yet set what it needs. */
  missing: boolean
}

interface Props {
  page: PageContext
  projectUuid: string
  kinds: readonly KindCard[]
  /** The search; empty shows all. */
  search: string
}

const CATEGORIES: readonly { category: KindCard['category']; title: string }[] = [
  { category: 'anything', title: 'Groups and programs' },
  { category: 'chat', title: 'Chats' },
  { category: 'device', title: 'Phones and push' },
  { category: 'on-call', title: 'On-call services' },
  { category: 'work', title: 'Issue trackers' },
]

/** The kinds that can be added, the popular ones first, the others by category. Those that the operator must set up first are at the end. */
export function KindGallery({ page, projectUuid, kinds, search }: Props) {
  const wanted = kinds.filter(kind => isMatch(kind, search))
  const usable = wanted.filter(({ missing }) => !missing)
  const waiting = wanted.filter(({ missing }) => missing)
  const path = `/projects/${projectUuid}/integrations/add/`
  return (
    <div class="kind-gallery" data-gallery>
      <form class="kind-search" method="get" action={link(page, path)}>
        <input
          type="search"
          name="q"
          value={search}
          placeholder="Find a service"
          aria-label="Find a service"
          maxlength={100}
          autocomplete="off"
        />
      </form>
      <Kinds page={page} path={path} title="Popular" kinds={usable.filter(({ popular }) => popular)} />
      {CATEGORIES.map(({ category, title }) => (
        <Kinds
          page={page}
          path={path}
          title={title}
          kinds={usable.filter(kind => kind.category === category && !kind.popular)}
        />
      ))}
      {waiting.length > 0 ? (
        <Disclosure
          open={search !== '' && usable.length === 0}
          summary={
            <>
              Not set up on this installation <span class="count">{waiting.length}</span>
            </>
          }
        >
          <Kinds page={page} path={path} title="" kinds={waiting} />
        </Disclosure>
      ) : null}
      <p class="muted no-kind" hidden={wanted.length > 0}>
        No such integration. Many services accept a webhook, and Apprise supports many more.
      </p>
    </div>
  )
}

interface KindsProps extends Pick<Props, 'page' | 'kinds'> {
  path: string
  title: string
}

function Kinds({ page, path, title, kinds }: KindsProps) {
  if (kinds.length === 0) return null
  return (
    <section class="kind-group" data-kinds>
      {title === '' ? null : <h2>{title}</h2>}
      <ul class="gallery">
        {kinds.map(kind => (
          <li data-kind={textOf(kind)}>
            <a href={link(page, `${path}${kind.kind}/`)}>
              <Logo svg={kind.logo} tile={kind.colour} />
              <span>
                <strong>{kind.label}</strong>
                <span class="under">
                  <InlineCode text={firstSentence(kind.help)} />
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** As in static/js/gallery.js: every word of the search occurs in the text of the card. */
function isMatch(kind: KindCard, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/)
  return words.every(word => textOf(kind).includes(word))
}

/** The text of a card, for the search. */
function textOf({ label, kind, help }: KindCard): string {
  return `${label} ${kind} ${firstSentence(help)}`.toLowerCase()
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text
}
