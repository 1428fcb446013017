"""The game of 1000 Bornes: cards, rulebooks, play, hand logs and their replay.

Standard library only. `scoring` and `league` may call this room; it calls nobody.

Terms (RULES 1): a *manche* is one deal; the *sabot* is the draw pile; an *étape* is a distance card; an *attaque* is
answered by a *parade* and shielded by a *botte*; a *coup-fourré* is a botte exposed at once in answer to its attack.

Front doors: `engine.notation` reads and writes hand logs, `engine.replay` judges them, `engine.steps` shows them move
by move, `engine.simulate` makes legal ones, `engine.rulebooks` holds the rulebooks as data.
"""
