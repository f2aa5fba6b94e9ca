"""Scenes of coloured shapes, and sentences about them that say whether one of the shapes is big or small.

The procedure is that of Pezzelle and Fernandez (2019), "Is the Red Square Big? MALeViC: Modeling Adjectives Leveraging
Visual Contexts". Nothing here knows of Django: `manage.py make_scenes` and `manage.py label_scenes` are its commands.
"""
