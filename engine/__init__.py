"""The game of 1000 Bornes: cards, rulebooks, play, hand logs and their replay.

Standard library only. `scoring` and `league` may call this room; it calls nobody.

Terms (RULES 1): a *manche* is one deal; the *sabot* is the draw pile; an *étape* is a distance card; an *attaque* is
answered by a *parade* and shielded by a *botte*; a *coup-fourré* is a botte exposed at once in answer to its attack.

Front doors: `engine.notation` reads and writes hand logs, `engine.replay` judges them, `engine.steps` shows them move
by move, `engine.simulate` makes legal ones, `engine.rulebooks` holds the rulebooks as data.

>>> from engine.replay import judge
>>> from engine.simulate import simulate
>>> verdict = judge(simulate("classique", teams=2, players=1, seed=1))
>>> verdict.valid, verdict.outcome.end, verdict.outcome.winner
(True, 'target', 'A')

>>> table = {"format": "bornes/1", "rulebook": "classique", "teams": {"A": ["a1"], "B": ["b1"]}, "seats": ["a1", "b1"]}
>>> refusal = judge(table | {"moves": ["a1:FV", "b1:PE>A", "a1:100"]}).refusal
>>> refusal.code, refusal.at, refusal.player, refusal.paragraph
('stopped', 2, 'a1', 'RULES 5')
>>> refusal.state["teams"]["A"]["attack"]
'PE'
"""
