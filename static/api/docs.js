"use strict";

// Shows the document of the API. Nothing is loaded but from this site, and nothing is asked of a validator elsewhere.
const place = document.getElementById("api");

SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
});
