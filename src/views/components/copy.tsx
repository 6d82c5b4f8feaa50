interface ButtonProps {
  text: string
  label?: string
  look?: 'primary' | 'plain'
}

/** A button that copies a text. It is visible only if a script can copy. */
function CopyButton({ text, label = 'Copy', look = 'plain' }: ButtonProps) {
  return (
    <button type="button" class={`button button-${look} button-small copy`} data-copy={text} hidden>
      {label}
    </button>
  )
}

/** A text to copy, on one line that scrolls if it is long. */
export function CopyLine({ text, label }: { text: string; label?: string }) {
  return (
    <div class="copy-line">
      <code tabindex={0}>{text}</code>
      <CopyButton text={text} {...(label === undefined ? {} : { label: `Copy ${label}` })} />
    </div>
  )
}

/** Several lines of code to copy. */
export function CopyBlock({ text, look = 'plain' }: Pick<ButtonProps, 'text' | 'look'>) {
  return (
    <div class="copy-block">
      <pre tabindex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} look={look} />
    </div>
  )
}
