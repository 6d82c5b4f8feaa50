import { projectLabel } from '../../core/projects/project-label.js'
import { capitalize } from '../../core/text/capitalize.js'
import { link, type PageContext } from '../page-context.js'
import {
  ACCOUNT_PAGE,
  ALL_PROJECTS_PAGES,
  DOCS_PAGE,
  PROJECT_PAGES,
  PROJECTS_PAGE,
  type Section,
  WALL_PAGE,
  wallPage,
} from '../site-pages.js'
import { Brand } from './brand.js'
import { Menu } from './disclosure.js'
import { PostForm } from './forms/post-form.js'
import { WarningSign } from './warning-sign.js'

/** The head of every page: the project, the navigation, and the user. */
export function Masthead({ page, section }: { page: PageContext; section: Section | undefined }) {
  return (
    <header class="masthead">
      <div class="masthead-row">
        <a class="home" href={link(page, '/')}>
          <Brand name={page.siteName} />
        </a>
        {page.user ? <ProjectSwitch page={page} /> : null}
        <nav class="masthead-end" aria-label="Site">
          {page.user ? <SearchLink page={page} /> : null}
          <a
            href={link(page, DOCS_PAGE.path)}
            data-go={DOCS_PAGE.key}
            aria-current={section === 'docs' ? 'page' : undefined}
          >
            {DOCS_PAGE.label}
          </a>
          {page.user ? <Account page={page} email={page.user.email} section={section} /> : null}
        </nav>
      </div>
      {page.project ? <ProjectNav page={page} project={page.project} section={section} /> : null}
      {page.user && !page.project ? <AllProjectsNav page={page} section={section} /> : null}
    </header>
  )
}

/** Leads to the search; a script opens it as a dialog instead. */
function SearchLink({ page }: { page: PageContext }) {
  return (
    <a class="search-link" href={link(page, '/search/')} data-palette>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="7" cy="7" r="4.5" />
        <path d="m10.5 10.5 4 4" />
      </svg>
      <span class="search-word">Search</span> <kbd hidden />
    </a>
  )
}

function ProjectSwitch({ page }: { page: PageContext }) {
  return (
    <Menu
      label={<span class="switch-name">{page.project ? projectLabel(page.project) : 'All projects'}</span>}
    >
      <a
        href={link(page, PROJECTS_PAGE.path)}
        data-go={PROJECTS_PAGE.key}
        aria-current={page.project ? undefined : 'true'}
      >
        All projects
      </a>
      {page.projects.map(project => (
        <a
          href={link(page, `/projects/${project.uuid}/checks/`)}
          aria-current={project.uuid === page.project?.uuid ? 'true' : undefined}
        >
          <span class="clip">{projectLabel(project)}</span>
          {project.down > 0 ? <span class="badge-down">{project.down} down</span> : null}
        </a>
      ))}
      <a class="menu-foot" href={link(page, wallPage(page.project).path)}>
        {WALL_PAGE.label}
      </a>
      <a href={link(page, '/projects/add/')}>New project</a>
    </Menu>
  )
}

/** The pages about all projects of the reader. */
function AllProjectsNav({ page, section }: { page: PageContext; section: Section | undefined }) {
  return (
    <nav class="project-nav" aria-label="All projects">
      {ALL_PROJECTS_PAGES.map(part => (
        <a
          href={link(page, part.path)}
          data-go={part.key}
          aria-current={section === part.section ? 'page' : undefined}
        >
          {part.label}
          {part.section === 'incidents' ? <OpenCount count={page.problems} /> : null}
        </a>
      ))}
    </nav>
  )
}

interface ProjectNavProps {
  page: PageContext
  project: { uuid: string; warning: string | null }
  section: Section | undefined
}

function ProjectNav(props: ProjectNavProps) {
  return (
    <nav class="project-nav" aria-label="Project">
      {PROJECT_PAGES.map(({ section, path, label, key }) => (
        <a
          href={link(props.page, `/projects/${props.project.uuid}/${path}/`)}
          data-go={key}
          aria-current={section === props.section ? 'page' : undefined}
        >
          {label}
          {section === 'incidents' ? <OpenCount count={props.page.problems} /> : null}
          {section === 'integrations' && props.project.warning !== null ? (
            <WarningMark reason={props.project.warning} />
          ) : null}
        </a>
      ))}
    </nav>
  )
}

/** The number of open incidents, which is that of the checks that are down. */
function OpenCount({ count }: { count: number }) {
  return (
    <span class="badge-down" data-problem-count hidden={count === 0}>
      {count}
    </span>
  )
}

/** A triangle that says what needs attention. */
function WarningMark({ reason }: { reason: string }) {
  return (
    <span class="warning-mark" title={capitalize(reason)}>
      <WarningSign />
      <span class="sr-only">({reason})</span>
    </span>
  )
}

function Account({
  page,
  email,
  section,
}: {
  page: PageContext
  email: string
  section: Section | undefined
}) {
  return (
    <Menu label={<span class="clip account-name">{email}</span>} end>
      <a
        href={link(page, ACCOUNT_PAGE.path)}
        data-go={ACCOUNT_PAGE.key}
        aria-current={section === 'account' ? 'page' : undefined}
      >
        {ACCOUNT_PAGE.label}
      </a>
      <button type="button" data-show-keys hidden>
        Keyboard shortcuts
      </button>
      <PostForm page={page} action="/accounts/logout/">
        <button type="submit">Sign out</button>
      </PostForm>
    </Menu>
  )
}
