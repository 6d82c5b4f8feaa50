// Tells the server, with the form, which time zone the browser is in.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
for (const input of document.querySelectorAll('input[data-zone]'))
  if (zone && !input.value) input.value = zone
