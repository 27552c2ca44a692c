'use strict';
// Keeps clicks of people, with the words of their query.

const { WrongOption, emit, serve, skip } = require('./photon_adapter.js');

function make({ spamAgents = '', ...others }) {
  const unknown = Object.keys(others);
  if (unknown.length > 0) {
    throw new WrongOption(`there is no option ${unknown.sort().join(', ')}`);
  }
  const spam = new Set(spamAgents.split(',').filter((agent) => agent !== ''));

  return (foreign, primary) => {
    const click = JSON.parse(foreign.json);
    const query = JSON.parse(primary.json);
    if (spam.has(text(click.agent))) {
      return skip('spam');
    }
    return emit({
      click: foreign.id,
      words: text(query.words),
      country: text(query.user?.country) || 'unknown',
      afterMillis: Math.floor((foreign.timestampMicros - primary.timestampMicros) / 1000),
    });
  };
}

/** An empty text for whatever is no text. */
const text = (value) => (typeof value === 'string' ? value : '');

serve('ads-clicks', '1.0', make);
