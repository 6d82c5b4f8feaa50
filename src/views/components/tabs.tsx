import type { Child } from 'hono/jsx'

export interface Tab {
  href: string
  label: string
  current?: boolean
  count?: number
}

/** Links to sibling pages or views. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(tab => (
        <a href={tab.href} aria-current={tab.current ? 'page' : undefined}>
          {tab.label}
          {tab.count === undefined ? null : <span class="count">{tab.count}</span>}
        </a>
      ))}
    </nav>
  )
}

export interface Panel {
  label: string
  content: Child
}

interface PanelsProps {
  name: string
  label: string
  panels: readonly Panel[]
  look?: 'tabs' | 'tiles'
}

/** Panels of which one is open, initially the first. They are radio buttons, so they work without a script. */
export function Panels({ name, label, panels, look = 'tabs' }: PanelsProps) {
  return (
    <fieldset class={look === 'tiles' ? 'panels panels-tiles' : 'panels'}>
      <legend class="sr-only">{label}</legend>
      {panels.map((panel, index) => (
        <>
          <input type="radio" name={name} id={`${name}-${index}`} checked={index === 0} />
          <label for={`${name}-${index}`}>{panel.label}</label>
          <div class="panel">{panel.content}</div>
        </>
      ))}
    </fieldset>
  )
}
